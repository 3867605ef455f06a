/** What an extension finds wrong with its settings beyond what its schema says. */
export interface OptionFinding {
  /** Keys and list indexes below `config`. */
  readonly path: readonly (string | number)[];
  /** A sentence that says what must be written instead. It never quotes what may be a secret. */
  readonly message: string;
  /** Default `error`, which refuses the configuration. `advice` is told by `koine check --audit` alone. */
  readonly severity?: 'error' | 'warning' | 'advice';
}

/** What else of the configuration an extension may hold its settings against. */
export interface CheckedCatalog {
  /** Ids of the models in the file. */
  readonly models: readonly string[];
  /** By the id of a model: how many targets it has, and how long those before the last may take until their head. Milliseconds. */
  readonly timeouts?: Readonly<Record<string, { readonly targets: number; readonly firstByteMs: number }>>;
}
