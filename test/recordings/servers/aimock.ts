import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, readSpeechCases, recordingCases, type RecordingCase } from '../../../core/cli/recording/cases.ts';
import { writeWav } from '../../e2e/operations/audio.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { installOnce, startProcess, type IndependentServer } from './server.ts';

const VERSION = '1.43.0';

const ask = (text: string): RecordingCase =>
  generate(text.split(' ').at(-1) ?? text, { turns: [{ role: 'user', parts: [{ type: 'text', text }] }] });
/** Cases that a vendor cannot be made to answer. */
const failures = [ask('Fail as overloaded'), ask('Fail as rate-limited')];

export const startAimock = (): ReturnType<typeof startProcess> => {
  const folder = installOnce(`aimock-${VERSION}`, (into) => [
    ['npm', 'install', '--silent', '--ignore-scripts', '--prefix', into, `@copilotkit/aimock@${VERSION}`],
  ]);
  const program = join(folder, 'node_modules/@copilotkit/aimock/dist/cli.js');
  const answers = join(import.meta.dirname, 'aimock.json');
  const options = ['--fixtures', answers, '--chunk-size', '6', '--validate-on-load', '--log-level', 'warn'];
  return startProcess((port) => [process.execPath, program, '--port', String(port), ...options]);
};

/** Which sound is sent does not matter: the mock writes down the same text for all. */
async function speechCases(): Promise<readonly RecordingCase[]> {
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'speech.wav');
  writeFileSync(file, writeWav(2));
  try {
    return await readSpeechCases(file);
  } finally {
    folder.remove();
  }
}

/** https://github.com/CopilotKit/aimock: a mock server that follows the vendors' wires; `aimock.json` has its answers. */
export const aimock: IndependentServer = {
  folder: 'aimock',
  name: `aimock ${VERSION}`,
  start: async () => {
    const { url, stop } = await startAimock();
    const server = { url, model: 'mock', repeatable: true };
    const cases = [...recordingCases, ...failures];
    return {
      recorded: [
        { ...server, provider: 'openai', cases: [...cases, ...(await speechCases())] },
        { ...server, provider: 'anthropic', cases },
        // It has no batchEmbedContents.
        { ...server, provider: 'google', cases: cases.filter(({ operation }) => operation !== 'embed') },
      ],
      stop,
    };
  },
};
