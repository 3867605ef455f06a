/** TLS of connections that the gateway opens, with the texts of PEM files. */
export interface ClientTls {
  /** The only authorities that are trusted. */
  readonly ca?: string;
  /** The certificate of the gateway, with its chain, and its private key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the certificate of the server must have. */
  readonly serverName?: string;
}
