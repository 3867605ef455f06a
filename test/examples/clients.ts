import { spawnSync } from 'node:child_process';
import OpenAI from 'openai';

/** The key of all vendors. */
export const VENDOR_KEY = 'the-key-of-every-vendor-0815';
/** The variables of every example. */
export const variables = {
  ...Object.fromEntries(
    ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GROQ_API_KEY', 'ACME_API_KEY', 'VENDOR_KEY'].map(
      (name) => [name, VENDOR_KEY],
    ),
  ),
  ...Object.fromEntries(
    ['KOINE_KEY', 'GLOBEX_KEY', 'GLOBEX_STAGING_KEY', 'INITECH_KEY', 'ALICE_KEY', 'BOB_KEY', 'HR_KEY'].map((name) => [
      name,
      `a-client-key-for-${name.toLowerCase()}-4711`,
    ]),
  ),
} as Readonly<Record<string, string>>;

export const messages = [{ role: 'user' as const, content: 'Hello' }];

/** Asks for a model, with the key in a variable. */
export const chat = (url: string, key: string, headers: Readonly<Record<string, string>> = {}) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: variables[key], maxRetries: 0, defaultHeaders: headers });
  return (model: string) => client.chat.completions.create({ model, messages }).withResponse();
};

/** @returns the error of a call that must be refused */
export const refusal = (call: Promise<unknown>): Promise<{ readonly status: number; readonly message: string }> =>
  call.then(
    () => Promise.reject(new Error('The request was not refused.')),
    (error: unknown) => error as { readonly status: number; readonly message: string },
  );

/** @returns standard output @throws Error with all output, where the command fails */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
