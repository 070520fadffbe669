Options behind a condition.

@name options
@title Options
@param x {string} [required] What
@step one sh [when={x} != "" timeout=30s]
    echo {x}
@step two sh [when={one.ok}, retry=3, delay=1s]
    echo {x}
@step three sh [when={x} == "a timeout=30s" parallel]
    echo {x}
@step four sh [timeout=30s when={x} == "retry=3"]
    echo {x}
@step five sh [when={x} timeout=30s]
    echo {x}
