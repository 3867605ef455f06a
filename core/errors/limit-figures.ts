/** The state of one limit: its size, what remains, and the milliseconds until it is full again. */
export interface LimitFigure {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Unix milliseconds of the reset, if the limit has a calendar window. */
  readonly resetAt?: number;
}
/** The tightest limits of a caller, by unit. Each wire writes them under its own header names. */
export interface LimitFigures {
  readonly requests?: LimitFigure;
  readonly tokens?: LimitFigure;
  readonly inputTokens?: LimitFigure;
  readonly outputTokens?: LimitFigure;
}
