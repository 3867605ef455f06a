/** The issuer of a proof: the provider's name in the configuration, and the model family that accepts it again. */
export interface Origin {
  readonly provider: string;
  readonly family: string;
}

/**
 * An opaque proof of reasoning: Anthropic's `signature` and redacted `data`, OpenAI's `encrypted_content`, Google's
 * `thoughtSignature`. Upstream decoders set `origin`; client encoders seal it into the blob that the client gets;
 * client decoders unseal it. Without `origin` the blob was not sealed by the gateway: it came over the native lane, and
 * belongs to the vendor of that wire.
 */
export interface Proof {
  readonly origin: Origin | undefined;
  readonly value: string;
  /** For redacted reasoning. The seal preserves it on wires that cannot express it. */
  readonly redacted?: true;
}

/** Of summaries, which a model has written and every target can read. */
const SUMMARY: Origin = { provider: '', family: 'summary' };
const MARK = 'koine1';
const REDACTED_MARK = 'koine1r';
/** The base64 prefix of every sealed blob: distinguishes it from a vendor's without decoding. */
const PREFIX = Buffer.from(MARK).toString('base64').slice(0, 8);
const SEPARATOR = '\n';

/** The string for the client: the vendor's own blob if it has no origin, otherwise sealed with its origin. */
export function sealProof(proof: Proof): string {
  if (proof.origin === undefined) return proof.value;
  return Buffer.from(
    [proof.redacted === true ? REDACTED_MARK : MARK, proof.origin.provider, proof.origin.family, proof.value].join(
      SEPARATOR,
    ),
  ).toString('base64');
}

/** The inverse of {@link sealProof}. A blob that is not sealed is returned unchanged, without an origin. */
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

/** The summary of a conversation, for a member in which a vendor has encrypted content. It is not secret. */
export const sealSummary = (text: string): string => sealProof({ origin: SUMMARY, value: text });

/** The inverse of {@link sealSummary}; undefined for any other blob. */
export function openSummary(blob: string): string | undefined {
  const { origin, value } = unsealProof(blob);
  return origin?.provider === SUMMARY.provider && origin.family === SUMMARY.family ? value : undefined;
}
