import { listBuiltInNames } from '../extensions/built-in.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { prepareConfig } from './load.ts';
import { ConfigError, type Problem } from './problem.ts';
import type { Environment } from './read/interpolate.ts';

/** The name of the proposed text in problems. */
const PROPOSAL = 'proposal.yaml';

/** Examines what could be added to the configuration. It changes nothing. */
export interface Proposals {
  /** What `use` of a provider can name: the built-in ones. */
  readonly uses: readonly string[];
  /**
   * Reads the configuration as if it included this text, with the reader of every start.
   * @returns the problems of the text. Those of the configuration itself are left out
   */
  examine(text: string): Promise<readonly Problem[]>;
}

export const createProposals = (file: string, builtIns: BuiltIns, env: Environment): Proposals => ({
  uses: listBuiltInNames('provider', builtIns).toSorted(),
  examine: async (text) => {
    const examine = async (): Promise<readonly Problem[]> => {
      const { opened, findings } = await prepareConfig(file, builtIns, env, { name: PROPOSAL, text });
      return opened.collect(findings.filter(({ severity }) => severity !== 'advice'));
    };
    const problems = await examine().catch((thrown: unknown) => {
      if (thrown instanceof ConfigError) return thrown.problems;
      throw thrown;
    });
    return problems.filter((problem) => problem.file === PROPOSAL);
  },
});
