Nothing to put together.

@title No Step
@name no_step
@output {x}
@cleanup sh
    ls
