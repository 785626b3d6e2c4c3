"""Results as self-contained pages, which run only their own script and load nothing from the network.

A report is foreign text. Four layers keep it text: the Markdown renderer escapes every tag that is not on a short
list, `nh3` cleans what it made, our own marks are added to the cleaned HTML only, and the page's content security
policy lets no script and no style run but the two that it carries.
"""
