Build a branch and publish it.

@title Deploy
@name deploy
@param branch {string} [required] Which branch
@param notes {string} What is new
@step build sh
    make
@step slips sh [when=build.exit-code = 0 and {branch} == main]
    echo slips
@step smart sh [when={build.stdout} contains “done” or not {build.ok}]
    echo smart
@step shell sh [when=${branch} -eq main]
    echo shell
@step bare sh [when=branch == {notes}]
    echo bare
@step open sh [when=({build.ok} || {notes}]
    echo open
@step quote sh [when={branch} == "main]
    echo quote
@step chain sh [when=0 < {build.exit-code} < 3]
    echo chain
@step pattern sh [when={branch} matches "v[0-9]/\d"]
    echo pattern
@step regex sh [when={branch} matches /(/]
    echo regex
@step filled sh [when="{build.stdout}" == "done"]
    echo filled
@step name sh [when={biuld.ok} && {build.exit_code} == 0]
    echo name
@step early sh [when={branch} ==]
    echo early
@step good sh [when=!({branch} == "main" || {build.stdout} matches /err(or)?[s]?/i) && {build.json.rows[0]:-0} >= 1.5]
    echo good
@tags run
