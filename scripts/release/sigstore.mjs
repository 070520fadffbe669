// Signs SHA256SUMS with the identity of the CI job that makes the release: sigstore's bundle has the certificate, the
// signature and their entry in the public log, so whoever verifies it needs no key of ours.
import { readFileSync, writeFileSync } from "node:fs";
import { bundleToJSON } from "@sigstore/bundle";
import { CIContextProvider, FulcioSigner, MessageSignatureBundleBuilder, RekorWitness } from "@sigstore/sign";

/** The public instance; a test has one of its own. */
const {
  DOTTOOL_FULCIO_URL: fulcioBaseURL = "https://fulcio.sigstore.dev",
  DOTTOOL_REKOR_URL: rekorBaseURL = "https://rekor.sigstore.dev",
} = process.env;

/** Writes FILE.sigstore.json. Returns a sentence for the person who makes the release: what was done, or why not. */
export async function signWithIdentity(file) {
  const token = await new CIContextProvider("sigstore").getToken().catch(() => undefined);
  if (token === undefined)
    return "without a sigstore bundle: there is no identity of CI here (in GitHub Actions, `permissions: {id-token: write}`; elsewhere a token in SIGSTORE_ID_TOKEN)";
  const signer = new FulcioSigner({ fulcioBaseURL, identityProvider: { getToken: async () => token } });
  const witnesses = [new RekorWitness({ rekorBaseURL })];
  const bundle = await new MessageSignatureBundleBuilder({ signer, witnesses }).create({ data: readFileSync(file) });
  writeFileSync(`${file}.sigstore.json`, `${JSON.stringify(bundleToJSON(bundle), null, 2)}\n`);
  return `${file}.sigstore.json is signed by the identity of this job`;
}
