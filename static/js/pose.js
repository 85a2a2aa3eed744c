/** How the figure holds itself, and how one posture becomes the next. */

/**
 * Posture as a few numbers that glide towards their goals.
 * @param {import("./wardrobe.js").Look} look
 * @param {Awaited<ReturnType<typeof import("./bust.js").buildBust>>} bust
 * @param {import("three").DirectionalLight} lamp
 */
export function createPose(look, bust, lamp) {
  const now = { lean: look.lean, turn: 0, nod: 0, tilt: look.tilt, heat: 0, gaze: 0, look: 0, away: 0, smile: 0 };
  const goal = { ...now };
  let blink = 2;
  let nodding = 0;
  let held = 0;
  let heat = 0;
  let musing = false;

  function rest() {
    goal.lean = look.lean - heat * 0.12;
    goal.tilt = look.tilt + (musing ? 0.07 : 0);
    goal.gaze = musing ? 0.12 : 0;
    goal.heat = heat;
    goal.smile = 0;
  }

  /** @param {number} time */
  function show(time) {
    const breath = Math.sin(time * 1.5) * 0.012;
    const sway = look.restless * (1 + heat);
    bust.torso.rotation.x = now.lean;
    bust.torso.scale.set(1, 1 + breath * 0.6, 1 + breath);
    bust.torso.position.z = now.lean * 1.1;
    bust.root.rotation.y = now.away;
    bust.neck.rotation.set(
      -now.lean * 0.75 + now.nod + now.gaze + Math.sin(time * 0.7) * 0.012 * sway,
      now.turn + Math.sin(time * 0.43) * 0.035 * sway,
      now.tilt + Math.sin(time * 0.31 + 1) * 0.015 * sway,
    );
    const shut = blink < 0.14 ? Math.sin((blink / 0.14) * Math.PI) : 0;
    for (const eye of bust.eyes) {
      eye.upper.rotation.x = -0.42 + now.heat * 0.2 + now.gaze + shut * 1.15;
      eye.ball.rotation.set(now.gaze * 0.8, now.look, 0);
    }
    bust.brows.forEach((brow, i) => {
      const side = i === 0 ? -1 : 1;
      brow.position.y = 0.26 + look.browDrop - now.heat * 0.05;
      brow.rotation.z = side * (now.heat * 0.34 + (look.browDrop < 0 ? 0.14 : -0.04));
    });
    bust.mouth.scale.set(1 - now.heat * 0.12 + now.smile * 0.16, 1 - now.heat * 0.25, 1);
    lamp.color.setRGB(1, 0.84 - now.heat * 0.2, 0.62 - now.heat * 0.26);
  }

  return {
    /** Whether the heat has changed. @param {number} value 0 to 1 */
    mood(value) {
      const before = heat;
      heat = Math.max(0, Math.min(1, (value - 0.25) / 0.65));
      rest();
      return heat !== before;
    },
    /** @param {boolean} on */
    thinking(on) {
      musing = on;
      if (held <= 0) rest();
    },
    /** @param {import("./avatar.js").Gesture} name */
    gesture(name) {
      rest();
      held = 2.2;
      if (name === "offer") goal.lean = look.lean + 0.17;
      else if (name === "hold") goal.lean = look.lean - 0.14;
      else if (name === "challenge") {
        goal.lean = look.lean + 0.13;
        goal.tilt = look.tilt - 0.1;
      } else if (name === "accept") nodding = 1.6;
      else if (name === "leave") {
        goal.away = 0.85;
        goal.turn = 0.4;
        held = Number.POSITIVE_INFINITY;
      }
    },
    /** Jump to the goals: the still figure. */
    settle() {
      Object.assign(now, goal);
      show(0.8);
    },
    /** @param {number} step seconds @param {number} time seconds */
    advance(step, time) {
      held -= step;
      if (held <= 0 && held > -step) rest();
      blink -= step;
      if (blink < 0) {
        blink = 2.2 + Math.random() * 3.5;
        goal.look = Math.random() < 0.6 ? 0 : (Math.random() - 0.5) * 0.5;
      }
      nodding = Math.max(0, nodding - step);
      goal.nod = nodding > 0 ? Math.max(0, Math.sin(nodding * 9)) * 0.16 : 0;
      const glide = 1 - Math.exp(-step * 4.2);
      const quick = 1 - Math.exp(-step * 14);
      for (const key of /** @type {(keyof typeof now)[]} */ (Object.keys(now))) {
        now[key] += (goal[key] - now[key]) * (key === "nod" || key === "look" ? quick : glide);
      }
      show(time);
    },
  };
}
