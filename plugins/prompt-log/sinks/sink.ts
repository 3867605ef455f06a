/** Where records are written to. */
export interface Sink {
  /** For logs and metrics. */
  readonly name: string;
  /** How long lines are gathered for one write. Absent: they are written at once. */
  readonly gatherMs?: number;
  /** A write that failed is repeated until it succeeds. */
  readonly repeats?: boolean;
  /** Writes lines of JSON, each with its time in unix milliseconds. @throws if they are not written */
  write(lines: readonly Line[]): Promise<void>;
  close?(): void;
}

export interface Line {
  readonly text: string;
  readonly time: number;
}
