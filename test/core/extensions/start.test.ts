import { expect } from 'chai';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import type { Extension } from '../../../core/extensions/extension.ts';
import { loadExtension } from '../../../core/extensions/load.ts';
import { startExtension } from '../../../core/extensions/start.ts';
import { builtIns } from '../config/fixture-built-ins.ts';
import { createTestServices } from '../../../core/testing/index.ts';

const from = (name: string): string =>
  new URL(`../../fixtures/extensions/${name}/gateway.yaml`, import.meta.url).pathname;
const services = createTestServices();
const load = (name: string): Promise<Extension<'plugin'>> =>
  loadExtension('plugin', { use: './index.js' }, from(name), builtIns);

const failureOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!GatewayError.is(thrown)) throw new Error(`expected a GatewayError, got ${String(thrown)}`);
  return thrown;
};

describe('startExtension', () => {
  it('a start that times out fails with an error that names the extension', async () => {
    const extension = await load('never-starts');
    const error = await failureOf(startExtension(extension, () => extension.definition.create({}, services), 20));
    expect(error.code).to.equal('KOINE_EXTENSION_TIMEOUT');
    expect(error.message).to.match(/^The plugin ".\/index.js" \(.*never-starts\/index.js\) did not start within 20 ms/);
  });

  it('a start that throws fails with an error that names the extension and has its cause', async () => {
    const extension = await load('start-throws');
    const error = await failureOf(startExtension(extension, () => extension.definition.create({}, services)));
    expect(error.code).to.equal('KOINE_EXTENSION_START_FAILED');
    expect(error.message).to.match(
      /start-throws\/index.js\) failed to start: the table of rules is locked \(.*start-throws\/index.js:\d+\)$/,
    );
    expect(error.cause).to.be.an.instanceof(Error);
  });

  it('distinguishes a timeout error of the extension from its own', async () => {
    const extension = await load('start-throws');
    const own = new GatewayError('KOINE_EXTENSION_TIMEOUT', 'not ours');
    const error = await failureOf(startExtension(extension, () => Promise.reject(own)));
    expect(error.code).to.equal('KOINE_EXTENSION_START_FAILED');
    expect(error.cause).to.equal(own);
  });

  it('closes an instance that is created after the timeout', async () => {
    const extension = await load('never-starts');
    const late = Promise.withResolvers<{ close: () => Promise<void> }>();
    const closed = Promise.withResolvers<string>();
    await failureOf(startExtension(extension, () => late.promise, 5));
    late.resolve({
      close: async () => {
        closed.resolve('closed');
        throw new Error('a failure that is not awaited');
      },
    });
    expect(await closed.promise).to.equal('closed');
  });

  it('the start of an extension returns the instance that create makes', async () => {
    const extension = await load('never-starts');
    const instance = {};
    expect(await startExtension(extension, () => instance)).to.equal(instance);
  });
});
