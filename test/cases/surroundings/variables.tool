Read variables.

@title Variables
@name variables
@tags write
@shell sh
@env NAMED
@env GIVEN=1
@script
    . /dev/null 2>/dev/null || true
    echo "$NAMED $GIVEN $HOME $1 $RANDOM ${LATER:-x} $LATER"
@shell(macos) bash
@script(macos)
    for each in a b; do echo "$each"; done
    read -r line
    own=1
    if [ -n "$CI" ]; then echo "$CI"; fi
    echo "$line $own $PLAIN ${PLAIN} '$QUOTED' \$ESCAPED $(echo "$INNER")"
    cat <<END
    $IN_DOCUMENT
    END
    cd "$PLACE" && rm -rf ./*
    aws s3 ls --region "$AWS_REGION"
    curl -H "Authorization: Bearer $API_TOKEN" https://example.org
