import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate with its chain, and its private key, as PEM texts. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Why TLS cannot serve a pair, as the second half of a sentence. */
export interface Flaw {
  /** Undefined where each is good, and they do not belong together. */
  readonly of: keyof KeyPair | undefined;
  readonly reason: string;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----.*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/gs;

const listCertificates = (cert: string): readonly X509Certificate[] =>
  (cert.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));

/** The time in which all certificates of the chain are valid, in unix milliseconds. */
export function validityOf({ cert }: KeyPair): { readonly from: number; readonly to: number } {
  const chain = listCertificates(cert);
  return {
    from: Math.max(...chain.map(({ validFromDate }) => validFromDate.getTime())),
    to: Math.min(...chain.map(({ validToDate }) => validToDate.getTime())),
  };
}

/** The reason of OpenSSL. Other errors are passed on. */
const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof Error && 'reason' in thrown) return String(thrown.reason);
  throw thrown;
};

/** Why OpenSSL refuses to parse. */
export function findReason(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

const findCertificateFlaw = (cert: string): string | undefined => {
  if (!cert.includes('CERTIFICATE-----')) return 'it contains no certificate in PEM';
  const reason = findReason(() => [createSecureContext({ cert }), listCertificates(cert)]);
  return reason && `it is not a certificate that OpenSSL accepts: ${reason}`;
};

const findKeyFlaw = (key: string): string | undefined => {
  if (!key.includes('PRIVATE KEY-----')) return 'it contains no private key in PEM';
  if (key.includes('ENCRYPTED')) return 'its private key has a passphrase, and must not have one';
  const reason = findReason(() => [createSecureContext({ key }), createPrivateKey(key)]);
  return reason && `it is not a private key that OpenSSL accepts: ${reason}`;
};

/**
 * A key of another kind than its certificate has to be found here: OpenSSL keeps both without an error, and then every
 * handshake fails.
 */
const belongTogether = ({ cert, key }: KeyPair): boolean =>
  listCertificates(cert)[0]?.checkPrivateKey(createPrivateKey(key)) === true;

/** @returns undefined if TLS can serve the pair. It may have expired */
export function findFlaw(pair: KeyPair): Flaw | undefined {
  const certificate = findCertificateFlaw(pair.cert);
  if (certificate !== undefined) return { of: 'cert', reason: certificate };
  const key = findKeyFlaw(pair.key);
  if (key !== undefined) return { of: 'key', reason: key };
  return belongTogether(pair)
    ? undefined
    : { of: undefined, reason: 'the private key does not belong to the certificate' };
}
