Words without quotes.

@title Quotes
@name quotes
@wrapped run_command
@shell bash
@script
    text={text}
    wc -l $text
    rm -f $(basename {text}) x
    bash -c 'rm $1' bash {text}
@param text {string} [required] What
