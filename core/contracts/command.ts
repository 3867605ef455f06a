/** A command of a plugin: `koine <plugin> <name>`. */
export interface PluginCommand<Options = unknown> {
  readonly summary: string;
  /** What follows the name, as `--help` shows it. `--config FILE` is the core's, and taken out of the arguments. */
  readonly usage: string;
  /**
   * @returns the exit code: 0 good, 1 findings
   * @throws GatewayError `invalid_request` where it was not called as it should be: exit code 2
   */
  run(args: readonly string[], context: CommandContext<Options>): Promise<number>;
}

export interface CommandContext<Options = unknown> {
  /** The plugin's `config`. */
  readonly options: Options;
  /** `store.database`. */
  readonly databaseUrl: string;
  /** Names of the configured providers. */
  readonly providers: readonly string[];
  /** A line of standard output. */
  print(text: string): void;
}
