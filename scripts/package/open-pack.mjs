// Reads the pack that pack.mjs wrote. Parts are views: the file is mapped into memory, so only used pages are ever
// read.

export function openPack(bytes) {
  const indexAt = (offset, length) => JSON.parse(bytes.latin1Slice(offset, offset + length));
  const firstLength = bytes.readUInt32LE(0);
  const first = indexAt(8, firstLength);
  let rest;
  return (name) => {
    const place = first[name] ?? (rest ??= indexAt(8 + firstLength, bytes.readUInt32LE(4)))[name];
    return place === undefined ? undefined : bytes.subarray(place[0], place[0] + place[1]);
  };
}
