/** Who made an opaque reasoning blob: the provider's name in the configuration and the model family that accepts it again. */
export interface Origin {
  readonly provider: string;
  readonly family: string;
}

/**
 * An opaque reasoning proof: Anthropic's `signature` and redacted `data`, OpenAI's `encrypted_content`, Google's `thoughtSignature`.
 * Upstream readers stamp `origin`; client writers seal it into the blob they hand out; client readers unseal it.
 * `origin: undefined` means a blob that we did not seal: it came over the native lane and belongs to the vendor of that wire.
 */
export interface Proof {
  readonly origin: Origin | undefined;
  readonly value: string;
  /** Of redacted reasoning. The seal carries it to wires that have no word of their own for it. */
  readonly redacted?: true;
}

const MARK = 'koine1';
const REDACTED_MARK = 'koine1r';
/** Base64 of the mark and its separator's first bits: lets a reader tell our blobs from a vendor's without decoding them. */
const PREFIX = Buffer.from(MARK).toString('base64').slice(0, 8);
const SEPARATOR = '\n';

/** The string a client is given for a proof: plain where the vendor's own blob may go out, else sealed with its origin. */
export function sealProof(proof: Proof): string {
  if (proof.origin === undefined) return proof.value;
  return Buffer.from(
    [proof.redacted === true ? REDACTED_MARK : MARK, proof.origin.provider, proof.origin.family, proof.value].join(
      SEPARATOR,
    ),
  ).toString('base64');
}

/** The inverse of {@link sealProof}. Anything that is not ours comes back as it is, with no origin. */
export function unsealProof(blob: string): Proof {
  if (!blob.startsWith(PREFIX)) return { origin: undefined, value: blob };
  const [mark, provider, family, ...value] = Buffer.from(blob, 'base64').toString('utf8').split(SEPARATOR);
  if ((mark !== MARK && mark !== REDACTED_MARK) || provider === undefined || family === undefined)
    return { origin: undefined, value: blob };
  return {
    origin: { provider, family },
    value: value.join(SEPARATOR),
    ...(mark === REDACTED_MARK ? { redacted: true } : {}),
  };
}
