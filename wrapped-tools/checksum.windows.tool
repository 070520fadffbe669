Compute the SHA-256 checksums of files.

`certutil` computes them, and takes no empty file.

@title SHA-256 Checksum
@name checksum
@param files {array<path>} [required, min=1] The files
@step(windows) printed runs [for-each={files}]
    certutil -hashfile {item} SHA256
@step sums code
    const hashes = steps.printed.output.match(/\b[0-9a-f]{2}(?: ?[0-9a-f]{2}){31}\b/gi) ?? [];
    if (hashes.length !== files.length) throw new Error(`certutil printed ${hashes.length} checksums`);
    return files.map((file, index) => `${hashes[index].replaceAll(" ", "").toLowerCase()}  ${file}\n`).join("");
@tags read files
@keywords sha256 hash verify integrity
@platforms windows
@example {"files": ["dottool"]}

@test knows the checksum of a text
    setup printf hello > a
    with {"files": ["a"]}
    expect output-equals "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  a\n"
