"use strict";
// The script that an executable without a snapshot runs: one for a machine other than that which built it. The program is a set of chunks, kept
// in one asset: each is loaded when something first needs it.
const { start } = require("./start.cjs");

start(() => {
  const { getRawAsset } = require("node:sea");
  const { makeRequire, openChunks } = require("./chunk-loader.cjs");
  const { openPack } = require("./open-pack.cjs");
  const part = openPack(Buffer.from(getRawAsset("pack")));
  const { factoryOf } = openChunks({ read: (name) => part(name).latin1Slice(), readCache: () => undefined });
  makeRequire({ factoryOf, requireBuiltIn: require, textAt: (from, to) => part("texts").utf8Slice(from, to) }).requireChunk("./main.js");
});
