/** `alerts`: where alerts are sent, beside the log. */
export interface AlertsConfig {
  readonly webhook?: WebhookConfig;
  readonly email?: EmailConfig;
}

/** Bounds of a channel. */
interface ChannelConfig {
  /** The longest time for one attempt, in milliseconds. */
  readonly timeout: number;
  /** The most alerts within an hour. */
  readonly perHour: number;
}

export interface WebhookConfig extends ChannelConfig {
  readonly url: string;
  readonly secret: string;
}

export interface EmailConfig extends ChannelConfig {
  /** The SMTP server. */
  readonly host: string;
  readonly port: number;
  /** `starttls`: required after the connection was made. `tls`: from the first byte. `none`: plain text. */
  readonly encryption: 'starttls' | 'tls' | 'none';
  /** Absent: the server is used without a login. */
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
  readonly to: readonly string[];
}
