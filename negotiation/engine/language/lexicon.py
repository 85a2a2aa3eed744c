"""Word lists that say what a number counts. Kept apart so that the rules stay short."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TIME_UNITS: Final = _words(
    """
    second seconds minute minutes min mins hour hours hr hrs day days week weeks wk wks month months mo
    mos year years yr yrs quarter quarters sprint sprints decade decades pm am oclock o'clock yo night
    nights weekend weekends fortnight
    """
)
COUNTED: Final = _words(
    """
    seat seats user users license licenses licence licences head heads person people employee employees
    engineer engineers developer developers customer customers client clients vendor vendors supplier
    suppliers offers bids bidder bidders options alternative alternatives candidate candidates
    competitor competitors unit units hour reasons reason thing things point points item items page
    pages time times ways call calls meeting meetings round rounds step steps location locations site
    sites country countries office offices team teams stakeholder stakeholders lawyer lawyers founder
    founders board boards share shares holders patent patents product products module modules
    integration integrations ticket tickets device devices server servers gb tb rep reps x question
    questions message messages email emails slide slides cent cents figure figures digit digits renewal
    renewals pilot pilots partner partners company companies deals friend friends child children kid
    kids kg km mile miles store stores other others party parties quotes conversation conversations
    percentage report reports role roles interview interviews floor floors tablet tablets laptop laptops
    machine machines ward wards hospital hospitals building buildings room rooms desk desks sqm sqft metres
    meters feet spaces spots builders instruments hoods dock docks charger chargers drops of
    """
)
BETWEEN_NUMBER_AND_NOUN: Final = _words(
    """
    more other competing additional extra open active different new free full solid separate business
    calendar working qualified good great strong serious alternative outside rival named paid key big
    small better direct senior concurrent live happy signed written firm firms whole straight
    consecutive enterprise real hard main
    """
)
VERBS_IN_S: Final = _words(
    """
    is was has does works gets makes closes feels seems sounds covers lands signs sits stands keeps
    leaves gives takes puts solves settles wins goes comes looks hurts helps kills suits beats fits
    means shows sends buys ends starts moves as plus this thus us its always across unless less yes
    thanks perhaps regardless versus vs dollars bucks euros pounds besides towards terms doubles secures
    seals respects reflects represents includes crosses exceeds misses tops happens stays remains
    bothers hits strikes pays costs needs wants
    """
)
LABELLED: Final = _words(
    """
    net option phase round version v tier series soc iso section clause page item number no step chapter
    article level slide q fy h quarter day week month suite building gate plan windows top rule category
    draft exhibit appendix schedule paragraph january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec thanks room
    flight area age aged hotel web gpt covid gdpr
    """
)
MONTHS: Final = _words(
    """
    january february march april may june july august september october november december jan feb mar
    apr jun jul aug sep sept oct nov dec
    """
)
PERIODIC: Final = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
}
RATE_UNITS: Final = {
    **{
        one: one
        for one in _words(
            """
            seat user head month hour day week quarter license licence share unit person employee transaction
            sq sf call device location site tablet laptop machine room floor desk piece pop item box kilo ton tonne foot
            metre meter sqm sqft engineer developer space spot
            """
        )
    },
    **dict.fromkeys(("months", "mo", "mth"), "month"),
    "hr": "hour",
    "wk": "week",
    **PERIODIC,
}
"""What a rate buys one of, by the words for it. After "per" any noun will do."""
PERIODS: Final = frozenset(PERIODIC.values())
NOT_BOUGHT: Final = _words(
    """
    contract deal agreement email mail offer order proposal quote our above below discussion se usual cent
    request conversation schedule letter spreadsheet attached last week yesterday instruction
    """
)
"""After "per" they point to a paper or a talk: "150 per your email"."""
MOMENTS: Final = _words(
    """
    from before after ago early earlier late later
    """
)
"""After "a week" they make it a point in time: "150 a week from now"."""
TIMES: Final = frozenset(("at", "for", "x", "times", "@", "*", ",", "a", "the", "of"))
"""What stands between a number of things and the price of one: "900 tablets at $1,050 each"."""
YEARLY: Final = _words(
    """
    year yr annum annually yearly pa
    """
)
SIDE_AFTER: Final = _words(
    """
    bonus signing sign-on signon sign equity stock options rsu rsus relocation credit credits savings
    saving setup implementation onboarding training services earnout earn retention revenue arr ebitda
    mrr losses loss costs cost debt penalty penalties fee fees escrow holdback headcount apart away
    short gap difference seats users employees customers lines people profit marketing pipeline funding
    deposit contribution allowance rebate freight shipping insurance fit fitout
    """
)
SIDE_BEFORE: Final = _words(
    """
    revenue revenues salary salaries arr mrr ebitda profit profits bonus equity relocation escrow
    earnout debt funding raised saved saves save saving savings lost lose losing valuation overhead
    payroll fee fees deposit contribution allowance rebate fitout freight insurance penalty penalties
    turnover burn setup implementation onboarding
    """
)
NOT_ADJECTIVES: Final = _words(
    """
    if and or to for in on at is by with from we i you a an the per than of but so then now this that
    these those as all flat over was will would can could plus net total it they he she me us my your
    our their when once until unless because since after before today tonight tomorrow even only just up
    down off do does did are be been have has had not no yes about around max min works annually please
    final firm deal ok okay cash right there here what how why who where which while still seems sounds
    feels might should may let lets get got give take make go put pay come say think need want versus
    between within last next
    """
)
"""Words that can't stand between a number and the noun it counts ("150 for users" counts nothing)."""
GROUPS: Final = _words(
    """
    team group staff crew family company network committee panel firm age headcount organisation
    organization fleet
    """
)
BEFORE_SIDE: Final = _words(
    """
    in of a an the for worth extra annual guaranteed cash new yearly
    """
)
"""Words that may stand between an amount and what it pays for ("10k in training credits")."""
AFTER_SIDE: Final = _words(
    """
    is of was at about us you around a the nearly over to hit crossed reached grew passed exceeded did by were
    """
)
"""Words that may stand between a matter and its amount ("revenue grew to 4 million")."""
