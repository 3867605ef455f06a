import type { Tools } from './script.ts';

/** Where an agent runs. */
export interface AgentSetting {
  /** The address of the gateway. */
  readonly url: string;
  readonly key: string;
  readonly home: string;
  readonly work: string;
  /** The environment, without variables of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An agent that has been started, and its session. */
export interface AgentSession {
  /** Resolves with what the agent printed, when the turn has ended. `picture` is the data of a PNG in base64. */
  prompt(text: string, picture?: string): Promise<string>;
  /** Ends the turn that runs. */
  interrupt(): Promise<void>;
  compact(): Promise<void>;
  setModel(name: string): Promise<void>;
  /** Makes the agent count tokens. */
  count(): Promise<void>;
  end(): Promise<void>;
}

export interface Agent {
  readonly name: string;
  readonly tools: Tools;
  /** The model of its defaults. */
  readonly model: string;
  /** Another name that it has built in. */
  readonly otherModel: string;
  /** What it prints for a response that was cut at the limit of tokens. */
  readonly whenCut: RegExp;
  /** Turns that the agent cannot run without a terminal, or does not have, with the reason. */
  readonly without: Readonly<Partial<Record<TurnName, string>>>;
  start(setting: AgentSetting): Promise<AgentSession>;
}

export const turnNames = [
  'plain',
  'parallel',
  'error',
  'image',
  'cut',
  'delegate',
  'found',
  'switched',
  'interrupted',
  'compacted',
  'counted',
] as const;
export type TurnName = (typeof turnNames)[number];
