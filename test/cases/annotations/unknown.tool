Words.

@name unknown
@wraped web_fetch
@Title Unknown
@desc What it does
@colour red
@x-colour red
@bogus: x
@comand: ls
@titel=My title
