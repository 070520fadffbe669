@name a23456789_123456789_123456789_123456789_123456789_123456789_12345
@wrapped official/summarize
@version 1.0
@requires rg >= thirteen, jq
@depends official/summarize@newest
@platforms linux, mac unix beos
