Lines that only look like options.

@title Fine
@name fine
@tags run
@param x {string} What to say,
    fallback: nothing
@step document bash
    cat > compose.yaml <<EOF
    timeout: 3s
    retry: 3
    EOF
    printf '%s\n' '
    when: now
    ' "
    fallback: x"
    echo \
    cache: 3h
    words=(
    timeout: 3s
    )
    retry: () { make || make; }
    retry: true
@step words runs
    printf '%s\n' 'fallback: {x}
    retry: 3' "timeout: 3s"
    cache: warm
    'timeout:' 3s
@step ask prompt
    Answer in this form.
    timeout: a number
    fallback: what to do
@step loop code
    retry: for (const one of [1, 2]) {
    continue retry;
    }
    return { timeout: 3 };
@step type python
    timeout: int = 3
    cache: dict = {}
@step remote pwsh
    $text = @"
    retry: 3
    "@
@step old cmd
    timeout: 3
