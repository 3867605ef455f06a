/** Where records are written to. */
export interface Sink {
  /** For logs and metrics. */
  readonly name: string;
  /** Writes lines of JSON, each with its time in unix milliseconds. @throws if they are not written */
  write(lines: readonly Line[]): Promise<void>;
}

export interface Line {
  readonly text: string;
  readonly time: number;
}
