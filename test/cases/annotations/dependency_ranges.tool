Ranges of versions with blanks in them.

@title Ranges
@name dependency_ranges
@depends own/lib@>=1 <2
@depends own/other@">=1 <2", own/third@>=1||<0.5
@depends own/fourth@1 - 2
@depends own/fifth@">>1 <"
@wrapped run_command
@command true
