/** One limit as its owner sees it: how much, how much is left, and in how many milliseconds it is whole again. */
export interface LimitFigure {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Known where the limiter has a calendar clock. */
  readonly resetAt?: number;
}
/** The tightest figures of a caller, per unit. The limiter gives figures, the wire gives names. */
export interface LimitFigures {
  readonly requests?: LimitFigure;
  readonly tokens?: LimitFigure;
  readonly inputTokens?: LimitFigure;
  readonly outputTokens?: LimitFigure;
}
