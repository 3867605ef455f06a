import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How the identity provider of the tests is configured. */
export interface ProviderSettings {
  readonly redirectUris: readonly string[];
  /** Where a browser may go after the sign-out. */
  readonly afterSignOut?: readonly string[];
  /** Where it reports that a person has signed out: for one session, or for all of the person. */
  readonly backChannel?: { readonly uri: string; readonly ofSession: boolean };
  /** Send all claims in the id token, not only at the userinfo endpoint. */
  readonly inIdToken?: boolean;
}

export interface TestProvider {
  readonly issuer: string;
  /** Configures it, with new signing keys and without sessions. Before the first call it responds 503. */
  configure(settings: ProviderSettings): Promise<void>;
  stop(): Promise<void>;
}

/** Starts oidc-provider in a process of its own, at `localhost`: for a browser another site than 127.0.0.1. */
export const startProvider = async (): Promise<TestProvider> => {
  const child = fork(fileURLToPath(new URL('provider-process.ts', import.meta.url)), { silent: true });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const next = async (): Promise<unknown> => {
    const exit = once(child, 'exit').then(() => {
      throw new Error(`the identity provider has ended: ${output}`);
    });
    const [message] = (await Promise.race([once(child, 'message'), exit])) as readonly unknown[];
    return message;
  };
  const { issuer } = (await next()) as { readonly issuer: string };
  return {
    issuer,
    configure: async (settings) => {
      child.send(settings);
      await next();
    },
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
};
