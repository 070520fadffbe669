Count words.

@title Count Words
@name asks
@command wc -w -- {file}
@param file {path} [required] The file
@ask how many words has a.txt? => {"file": "a.txt"}
@ask how many words has a.txt?
@ask → {"file": "a.txt"}
@ask how many words has a.txt? -> {"file": }
@ask what is the weather? -> none
@tags read
