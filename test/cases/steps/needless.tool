Reads.

@title Needless
@name needless
@cwd docs
@env A=b
@step a uses read_file
    file_path = x
@tags read
