"""Words of one kind that may stand for one another: a country for a country, a month for a month, a film for an album.

Exchanged within a row, they leave a sentence whole and its meaning wrong. Rows with ``|`` between the words.
"""

from __future__ import annotations

from typing import Final

# Things a fact is about: wrong in a claim as in a query.
EXACT: Final[tuple[tuple[str, str], ...]] = (
    ("nationality", "British|Irish|Australian|Canadian|American|New Zealand"),
    ("nationality", "English|Scottish|Welsh|Irish"),
    ("nationality", "French|Belgian|Swiss|Italian|Spanish|Portuguese"),
    ("nationality", "German|Austrian|Dutch|Danish|Swiss"),
    ("nationality", "Swedish|Norwegian|Danish|Finnish|Icelandic"),
    ("nationality", "Polish|Czech|Hungarian|Romanian|Bulgarian|Serbian|Greek"),
    ("nationality", "Russian|Ukrainian|Soviet|Georgian|Estonian|Latvian|Lithuanian"),
    ("nationality", "Chinese|Japanese|Korean|Taiwanese|Vietnamese|Thai"),
    ("nationality", "Indian|Pakistani|Nepali|Bangladeshi|Sri Lankan"),
    ("nationality", "Mexican|Brazilian|Argentine|Colombian|Chilean|Peruvian"),
    ("nationality", "Egyptian|Turkish|Iranian|Israeli|Lebanese|Syrian"),
    ("nationality", "Nigerian|Kenyan|Ghanaian|Ethiopian|South African|Malawian|Zambian"),
    ("country", "Ireland|Scotland|Wales|England"),
    ("country", "the United Kingdom|the United States|the Netherlands"),
    ("country", "France|Belgium|Switzerland|Italy|Spain|Portugal|Austria|Germany|Luxembourg"),
    ("country", "Sweden|Norway|Denmark|Finland|Iceland|Estonia|Latvia|Lithuania"),
    ("country", "Poland|Hungary|Romania|Bulgaria|Serbia|Croatia|Slovenia|Ukraine|Greece"),
    ("country", "China|Japan|South Korea|Taiwan|Vietnam|Thailand|Malaysia|Indonesia|Singapore"),
    ("country", "India|Pakistan|Nepal|Bangladesh|Sri Lanka"),
    ("country", "Canada|Australia|New Zealand|Mexico"),
    ("country", "Brazil|Argentina|Colombia|Chile|Peru|Uruguay|Bolivia|Ecuador"),
    ("country", "Egypt|Turkey|Iran|Iraq|Israel|Lebanon|Syria|Morocco|Tunisia"),
    ("country", "Nigeria|Kenya|Ghana|Ethiopia|South Africa|Malawi|Zambia|Tanzania|Uganda|Zimbabwe"),
    ("city", "London|Manchester|Birmingham|Liverpool|Edinburgh|Glasgow|Leeds|Bristol"),
    ("city", "New York City|Chicago|Los Angeles|Boston|Philadelphia|Atlanta|Nashville|Houston|Seattle|Denver"),
    ("city", "Paris|Lyon|Marseille|Brussels|Geneva|Zurich"),
    ("city", "Berlin|Munich|Hamburg|Vienna|Frankfurt|Cologne"),
    ("city", "Rome|Milan|Florence|Naples|Venice|Turin"),
    ("city", "Madrid|Barcelona|Lisbon|Seville|Valencia"),
    ("city", "Moscow|Saint Petersburg|Kyiv|Warsaw|Prague|Budapest|Bucharest"),
    ("city", "Stockholm|Oslo|Copenhagen|Helsinki"),
    ("city", "Tokyo|Osaka|Kyoto|Seoul|Beijing|Shanghai|Hong Kong"),
    ("city", "Sydney|Melbourne|Brisbane|Perth|Adelaide|Auckland"),
    ("city", "Toronto|Montreal|Vancouver|Ottawa|Calgary"),
    ("state", "California|Oregon|Nevada|Arizona|Colorado|Utah"),
    ("state", "Virginia|Maryland|Pennsylvania|Ohio|Kentucky|Tennessee|Georgia|North Carolina"),
    ("state", "Florida|Texas|Alabama|Louisiana|Mississippi|Oklahoma"),
    ("state", "Massachusetts|Connecticut|Vermont|New Jersey|New Hampshire|Maine"),
    ("state", "Illinois|Michigan|Wisconsin|Minnesota|Indiana|Iowa|Missouri|Kansas|Nebraska"),
    ("county", "Dorset|Devon|Cornwall|Somerset|Kent|Sussex|Hampshire|Norfolk|Suffolk|Essex"),
    ("county", "Yorkshire|Lancashire|Cheshire|Derbyshire|Nottinghamshire|Cumbria"),
    ("month", "January|February|March|April|June|July|August|September|October|November|December"),
    ("kin", "father|uncle|grandfather"),
    ("kin", "mother|aunt|grandmother"),
    ("kin", "brother|cousin"),
    ("kin", "sister|cousin"),
    ("season", "Summer Olympics|Winter Olympics"),
    ("war", "World War I|World War II"),
    ("paper", "The New York Times|The Washington Post|The Guardian|The Times"),
    ("国家", "英国|美国|加拿大|澳大利亚"),
    ("国家", "法国|德国|意大利|西班牙|荷兰"),
    ("国家", "日本|韩国|新加坡|泰国|越南"),
    ("城市", "北京|上海|广州|深圳|杭州|南京|成都|武汉"),
)  # fmt: skip

# What a query asks for: exchanged in a query or a plan, it leads elsewhere. In running reasoning they say too many
# other things ("first, the results").
OF_QUERIES: Final[tuple[tuple[str, str], ...]] = (
    ("kind", "film|novel|album|musical|TV series|video game"),
    ("kind", "song|album|band|film"),
    ("kind", "actor|singer|director|musician|footballer|politician"),
    ("kind", "actress|singer|model"),
    ("role", "author|editor|publisher|translator"),
    ("role", "director|producer|screenwriter|composer"),
    ("role", "founder|chairman|owner|president"),
    ("role", "creator|producer|voice actor"),
    ("role", "President|Vice President|Prime Minister"),
    ("role", "president|vice president|prime minister"),
    ("role", "novelist|playwright|poet|essayist"),
    ("role", "drummer|bassist|guitarist|vocalist"),
    ("order", "first|second|third|last"),
    ("order", "oldest|youngest|largest|smallest"),
    ("order", "longest|shortest|largest"),
    ("order", "highest|lowest|largest"),
    ("order", "founded|dissolved|renamed"),
    ("order", "born|died|buried"),
    ("order", "birthplace|place of death|hometown"),
    ("order", "opened|closed|renovated"),
    ("order", "released|recorded|remastered"),
    ("way", "North|South"),
    ("way", "East|West"),
    ("way", "northern|southern"),
    ("way", "Northern|Southern"),
    ("way", "eastern|western"),
    ("way", "Eastern|Western"),
    ("place", "university|college|high school"),
    ("place", "headquarters|branches|factories"),
    ("place", "airport|railway station|harbour"),
    ("place", "village|town|county"),
    ("place", "population|area|elevation"),
    ("prize", "Literature|Peace|Chemistry|Physics|Medicine"),
    ("sport", "football|rugby|cricket|basketball|baseball|hockey|tennis"),
    ("century", "19th century|18th century|20th century|17th century"),
    ("century", "early 20th century|late 20th century|mid 20th century"),
    ("numeral", "VIII|VII|IX|VI|IV"),
    ("角色", "导演|编剧|制片人|主演"),
    ("角色", "作者|译者|编辑"),
    ("角色", "创始人|董事长|首席执行官"),
    ("序", "第一|第二|第三"),
    ("序", "出生|去世"),
    ("序", "成立|解散"),
)  # fmt: skip

# What says less than a word, for a constraint that is made loose. Left: the row's words; right: what stays.
LOOSER: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Estonia|Latvia|Lithuania|Poland|Germany|France|Italy|Spain|Portugal|Austria|Hungary|Norway|Sweden|Denmark", ("Europe",)),
    ("England|Scotland|Wales", ("the United Kingdom", "Great Britain")),
    ("UK|Britain|Ireland", ("Western Europe", "Europe")),
    ("Malawi|Zambia|Kenya|Ghana|Nigeria|Ethiopia|Tanzania|Uganda|Zimbabwe|South Africa", ("Africa",)),
    ("China|Japan|India|Nepal|Thailand|Vietnam|South Korea|Taiwan|Singapore", ("Asia",)),
    ("London", ("England", "the United Kingdom")),
    ("Paris", ("France",)),
    ("Dorset|Devon|Kent|Yorkshire|Cornwall|Somerset", ("England", "the United Kingdom")),
    ("California|Virginia|Florida|Texas|Ohio|Georgia|Nevada|New Jersey|Illinois|Oklahoma|Oregon|Delaware|Missouri|Kansas|Arizona|Colorado|Minnesota|Wisconsin|Massachusetts|Maine|Connecticut|Maryland|Kentucky|Tennessee|Alabama|Louisiana|Mississippi", ("the United States", "North America")),
    ("Australian|British|German|French|Canadian|Estonian|Colombian|Swedish|Scottish|Irish|Italian|Spanish|American|Japanese|Indian|Chinese|Russian|English", ("famous", "well-known", "notable")),
    ("北京|上海|广州|深圳|杭州|南京|成都|武汉", ("中国", "国内")),
    ("英国|法国|德国|意大利|西班牙|荷兰", ("欧洲", "国外")),
)  # fmt: skip

# Given names, alike in kind: the same person's name with another of them is another person's.
GIVEN_NAMES: Final[tuple[str, ...]] = (
    "James John Jack Jim Jerome Joseph Joel Jonathan Jeremy Justin Jesse Jason",
    "Robert Richard Roger Ronald Raymond Ralph Russell Ryan Rupert",
    "William Walter Wallace Warren Wayne Wesley Wilfred",
    "Thomas Timothy Tim Theodore Terence Todd Tom Tony",
    "Michael Mark Matthew Martin Mitchell Max Maurice Miles Malcolm",
    "David Daniel Donald Douglas Dennis Derek Dean Darren Duncan Dylan",
    "Charles Christopher Carl Craig Clive Colin Curtis Cecil Chris",
    "George Gerald Gary Gordon Graham Gilbert Gustav Glenn Gregory",
    "Peter Paul Patrick Philip Percy Pierre Preston",
    "Edward Edmund Eric Ernest Eugene Edwin Elliot Emil",
    "Henry Harold Harry Howard Hugh Herbert Hans Hector Hugo",
    "Stephen Steven Scott Samuel Simon Sidney Stuart Sean Stanley Seth",
    "Andrew Alan Albert Alexander Arthur Anthony Adam Alex Alfred Antonio",
    "Benjamin Bernard Brian Bruce Barry Bob Bill Ben Brad",
    "Kevin Keith Kenneth Karl Kurt Kyle",
    "Louis Lawrence Leonard Leo Lionel Luke Lewis Liam",
    "Frank Francis Frederick Felix Fred Ferdinand Franz",
    "Nicholas Nathan Neil Norman Nigel Noel Nick",
    "Oliver Oscar Owen Otto Orson",
    "Victor Vincent Vernon",
    "Mary Margaret Martha Maria Marilyn Michelle Maggie Monica Molly",
    "Elizabeth Emily Emma Eleanor Ellen Eva Evelyn Esther",
    "Anna Anne Alice Amy Amanda Angela Audrey Ashley",
    "Sarah Susan Sandra Sophie Stella Sharon Sheila Sylvia",
    "Jane Julia Julie Jennifer Jessica Joan Judith Joanna Jacqueline",
    "Catherine Caroline Christine Charlotte Claire Carol Clara Cynthia",
    "Laura Linda Lisa Lucy Louise Lillian Lauren Lindsay",
    "Helen Hannah Heather Holly Harriet Hilary Hillary",
    "Barbara Betty Beatrice Brenda Bridget",
    "Dorothy Diana Deborah Donna Daisy Dora",
    "Tara Teresa Tina Tracy Tamara Tanya",
    "Rachel Rebecca Rose Ruth Rita Rosemary",
    "Karen Kate Kathleen Kelly Kim Katherine",
    "Victoria Vera Vivian Veronica Valerie",
    "Nancy Natalie Nora Nicole Naomi Nina",
    "Grace Gloria Gina Georgia Gwen",
    "Frances Florence Fiona Flora Faye",
)

# Surnames that many bear, so that one alone names nobody.
COMMON_SURNAMES: Final = frozenset(
    """Adams Allen Anderson Armstrong Bailey Baker Barnes Bell Bennett Bernard Black Brooks Brown Bryant Burns Butler Campbell
    Carter Clark Clarke Coleman Collins Cook Cooper Cox Crawford Cruz Davies Davis Diaz Dixon Edwards Ellis Evans Ferguson
    Fisher Ford Foster Fox Freeman Garcia Gibson Gomez Gonzalez Gordon Graham Grant Gray Green Griffin Hall Hamilton Harris
    Harrison Hart Hayes Henderson Henry Hernandez Hill Holmes Howard Hughes Hunt Hunter Jackson James Jenkins Johnson Jones
    Jordan Kelly Kennedy King Knight Lane Lawrence Lee Lewis Long Lopez Lynch Marshall Martin Martinez Mason Matthews McDonald
    Miller Mills Mitchell Moore Morgan Morris Murphy Murray Myers Nelson Nichols Palmer Parker Patterson Payne Perez Perry
    Peters Phillips Pierce Porter Powell Price Ramirez Reed Reid Reyes Reynolds Rice Richards Richardson Rivera Roberts
    Robertson Robinson Rodriguez Rogers Rose Ross Russell Ryan Sanchez Sanders Scott Shaw Simmons Simpson Smith Snyder Spencer
    Stephens Stevens Stewart Stone Strong Sullivan Taylor Thomas Thompson Torres Tucker Turner Wagner Walker Wallace Ward
    Warren Washington Watkins Watson Weaver Webb Wells West Wheeler White Williams Williamson Willis Wilson Wood Woods Wright
    Young""".split()
)
