Repeat a word.

@title Repeat
@name repeat
@param word {string} [required, pattern=/(['"]).*\1/, reject=/(?<letter>[a-z])\k<letter>{3}/] A word in quotes
@param many {string} [default="", pattern=/(?:(?:a?){100}b?){100}/] The default is not tried
@param linear {string} [default=aaaa, pattern=/(?:(a|a)*b|(?<!b)a+)+/] However it repeats, this is matched in linear time
@step say runs [when={word} matches /^(.)\1+$/ && {many} matches /(a+)+b/]
    echo {word} {many} {linear}
@tags run
@test says it
    with {"word": "'a'"}
    expect output-matches /^(')a\1/
