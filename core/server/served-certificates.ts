import { isDeepStrictEqual } from 'node:util';
import { validityOf, type KeyPair } from '../config/certificates/key-pair.ts';
import type { Certificates, ListenerName } from '../config/certificates/read-certificates.ts';
import type { Metrics } from '../contracts/services.ts';

const listeners: readonly ListenerName[] = ['server', 'admin'];
/** As metrics and the documentation name them. */
const labels: Readonly<Record<ListenerName, string>> = { server: 'data', admin: 'admin' };

/** The certificates that the listeners of this process present. */
export class ServedCertificates {
  readonly #renewals = new Map<ListenerName, (pair: KeyPair) => void>();
  readonly #expiry: ReturnType<Metrics['gauge']>;
  #current: Certificates;

  constructor(first: Certificates, metrics: Metrics) {
    this.#current = first;
    this.#expiry = metrics.gauge(
      'koine_tls_expiry_seconds',
      'When the certificate that the listener presents, or another one of its chain, expires: unix seconds.',
      ['listener'],
      'min',
    );
  }

  /** What a listener that opens now has to present; undefined without TLS. */
  of(listener: ListenerName): KeyPair | undefined {
    return this.#current[listener];
  }

  /** @param renew makes the open listener present a certificate to new connections */
  serve(listener: ListenerName, renew: (pair: KeyPair) => void): void {
    this.#renewals.set(listener, renew);
    this.#record(listener);
  }

  /** Presents the certificates of the active configuration from now on. */
  adopt(certificates: Certificates): void {
    const before = this.#current;
    this.#current = certificates;
    for (const listener of listeners) {
      const pair = certificates[listener];
      if (pair === undefined || isDeepStrictEqual(pair, before[listener])) continue;
      this.#renewals.get(listener)?.(pair);
      this.#record(listener);
    }
  }

  #record(listener: ListenerName): void {
    const pair = this.#current[listener];
    if (pair !== undefined && this.#renewals.has(listener))
      this.#expiry.bind([labels[listener]])(validityOf(pair).to / 1_000);
  }
}
