What is given from outside, as options.

@title Given
@name given
@wrapped run_command
@shell sh
@env FOLDER={folder}
@env WORDS={words}
@env NAME={name}
@env MODE={mode}
@stdin {names}
@script
    xargs rm -f
    rm -rf "${FOLDER##*/}"
    wc $WORDS
    cksum "$NAME"
    ls $MODE
@param folder {path} [required] Which folder
@param words {string} [required] Which words
@param name {string} [required] Which file
@param mode {"-l"|"-a"} [required] How
@param names {string} [required] What to remove
