References to what the tool does not have.

@title Unknown References
@name unknown_references
@param names {array<string>} Names
@step clone runs
    echo one
@step slip runs
    echo {clon.stdout} {clon.json.a} {clon[0]:-none}
@step far sh
    echo "{zz.y}" {{zz.y}} ${zz.y} '{zz.y}' '{clon.stdout}'
@step path runs
    echo {clone.json.y[-1]} {clone.json["x"]} {clone.json['a b']} {clone.json[*].a} {clone.}
@step parts runs
    echo {clone.stdout.x} {clone.ok.x} {clone.stdot}
@step given uses own/lib
    text={clon.stdout}
@step asked prompt
    Say {clon.stdout}.
@output
    {clon.stdout} {zz.y} {{zz.y}}
