Has `@allow` in steps.

@title Steps
@name steps_allow
@tags read
@allow crypto
@step one code
    return 1;
