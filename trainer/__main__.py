"""``python -m trainer COMMAND``: the trainer's command line.

Commands register themselves by name in :mod:`trainer.commands`; a module is imported only when its command is
asked for, so that commands without torch run in the environment that has none.
"""

from __future__ import annotations

import sys

from trainer.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
