/** What the gateway keeps of responses. */
export interface ResponsesConfig {
  /** Items of translated responses, to which later requests can refer. */
  readonly items: {
    /** Milliseconds; 0: none is kept. */
    readonly for: number;
    /** Bytes in the memory of a host. */
    readonly size: number;
  };
}
