"""Words for evidence that nobody retrieved: where one publishes, who writes, what one counts of which kind of thing."""

from __future__ import annotations

from typing import Final

__all__ = ["BODIES", "COUNTED", "FIRST", "LAST", "PRESS", "PRESSES", "REFERENCE", "Counted"]

# Kind of thing, whether it is a person, and what is counted of it: a verb and a phrase with a place for the number.
Counted = tuple[str, bool, tuple[tuple[str, str], ...]]

PRESS: Final = (
    "The Guardian", "The New York Times", "The Telegraph", "The Washington Post", "The Independent", "The Economist",
    "The Atlantic", "The Observer", "The Scotsman", "The Irish Times", "The Spectator", "The New Yorker", "Le Monde",
    "Der Spiegel", "The Financial Times", "The Los Angeles Times", "The Sydney Morning Herald", "The Boston Globe", "Newsweek",
)  # fmt: skip
REFERENCE: Final = (
    "Wikipedia", "Britannica", "Encyclopedia.com", "Oxford Reference", "World History Encyclopedia", "New World Encyclopedia",
    "Infoplease", "ThoughtCo",
)  # fmt: skip
BODIES: Final = (
    "the Library of Congress", "the British Library", "the National Archives", "the Smithsonian", "the Royal Society",
    "the Getty Research Institute", "the Wellcome Collection", "the Bodleian Library", "the Newberry Library",
)  # fmt: skip
PRESSES: Final = ("Oxford", "Cambridge", "Yale", "Princeton", "Harvard", "Chicago", "Manchester", "Cornell")
FIRST: Final = (
    "Margaret", "Alan", "Helen", "Peter", "Ruth", "David", "Joan", "Martin", "Claire", "Simon", "Laura", "Thomas", "Anne",
    "Robert", "Judith", "Nigel", "Karen", "Philip", "Susan", "Edwin",
)  # fmt: skip
LAST: Final = (
    "Harrow", "Whitfield", "Lindqvist", "Marsden", "Pruitt", "Okafor", "Delaney", "Hartnell", "Brandt", "Sorensen", "Vance",
    "Kemble", "Ashworth", "Pelletier", "Rourke", "Tamura", "Weller", "Castellan", "Drummond", "Fenwick",
)  # fmt: skip

# {s}: dozens, {h}: hundreds, {t}: thousands, {k}: tens or hundreds of thousands, {m}: a few million, {p}: a share, {y}: a year.
COUNTED: Final[tuple[Counted, ...]] = (
    (r"castle|museum|park|gardens?|palace|cathedral|temple|monument|landmark|gallery|zoo|lake|beach|ruins?|church", False,
     (("draws", "{k} visitors a year"), ("was visited by", "{k} people in {y}"))),
    (r"mountain|volcano|island|peninsula|reserve|waterfalls?", False, (("draws", "{k} visitors a year"),)),
    (r"university|college|school|academy", False, (("enrols", "{t} students"), ("employs", "{h} academic staff"))),
    (r"company|firm|chain|corporation|manufacturer|retailer|brand|franchise|label|distributor|conglomerate|holding", False,
     (("employs", "{t} people"), ("reported sales of", "${h} million in {y}"))),
    (r"bands?|duo|musical group|orchestra", False, (("has sold", "{m} million records"), ("played", "{h} concerts"))),
    (r"singer|musician|rapper|songwriter|guitarist|vocalist|drummer|pianist", True,
     (("sold", "{m} million records"), ("gave", "{h} concerts"))),
    (r"film|movie|comedy|documentary|adaptation|melodrama|musical", False,
     (("took", "${m} million at the box office"), ("was shot in", "{s} days"))),
    (r"soap opera|radio serial", False, (("reaches", "{m} million listeners"),)),
    (r"series|show|sitcom|miniseries|television channel|programme", False, (("reached", "{m} million viewers"),)),
    (r"album|single|song|soundtrack", False, (("sold", "{k} copies in its first year"),)),
    (r"book|novel|novella|magazine|comic", False, (("sold", "{k} copies in its first year"),)),
    (r"video game|media franchise|game", False, (("sold", "{m} million copies"),)),
    (r"play|opera", False, (("ran for", "{h} performances"),)),
    (r"actor|actress|comedian|presenter|voice actor", True, (("appeared in", "{s} films"),)),
    (r"author|novelist|writer|journalist|poet|playwright|philosopher|historian|theologian", True,
     (("published", "{s} books"), ("left", "{h} letters"))),
    (r"composer|arranger|conductor", True, (("left", "{h} works"),)),
    (r"coach|manager", True, (("was in charge of", "{h} games"),)),
    (r"footballer|player|athlete|cyclist|golfer|swimmer|runner|boxer|racer|wrestler|driver|baseman|fielder", True,
     (("earned", "${m} million in prize money"),)),
    (r"politician|president|prime minister|senator|governor|mayor", True, (("won", "{p} percent of the vote"),)),
    (r"scientist|physicist|chemist|mathematician|professor|naturalist|psychologist|biologist|engineer|inventor", True,
     (("published", "{h} papers"), ("left", "{s} notebooks"))),
    (r"architect|artist|painter|designer|sculptor|cartoonist|illustrator", True, (("left", "{h} drawings"),)),
    (r"director|filmmaker|producer|screenwriter|animator", True, (("worked on", "{s} films"),)),
    (r"king|general|commander|military leader", True, (("commanded", "{t} men"),)),
    (r"outlaw|robber", True, (("took part in", "{s} robberies"),)),
    (r"city|town|village|municipality|parish", False, (("had", "{k} inhabitants in {y}"),)),
    (r"stadium|arena|venue|theatre|theater|opera house", False, (("seats", "{t} people"),)),
    (r"railway|line|road|bridge|canal|railway station|train", False, (("carried", "{k} passengers in {y}"),)),
    (r"(?:film|music|arts|jazz|opera) festival|contest|competition|tournament|olympics", False, (("drew", "{k} people in {y}"),)),
    (r"genus|species|ferns?|orchids?|plant|tree|flower|bird", False, (("has been recorded at", "{h} sites"),)),
    (r"ship|vessel|yacht", False, (("carried", "{h} tons of cargo"),)),
    (r"party|organi[sz]ation|league|association|movement|team|club", False, (("had", "{t} members at its height"),)),
)  # fmt: skip
