import { expect } from 'chai';
import { errorCodes } from '../../core/index.ts';
import type { Mode, Wire } from '../matrix/wires.ts';
import { earlyFaults, type EarlyFault } from './before-content.ts';
import { exchangesOf, holdInvariants } from './invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';

/** Native for one, translated for the other; each wire is once the vendor's in either. */
const ways: readonly (readonly [client: Wire, vendor: Wire])[] = [['chat', 'chat'], ['chat', 'messages']];

overBoth('before the first content', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const check = async ({ script, code, failure, status, pace }: EarlyFault, client: Wire, vendor: Wire, mode: Mode): Promise<void> => {
    scene.upstream.requests.length = 0;
    scene.upstream.script = () => script(vendor, mode);
    const known = scene.replies.length;
    const reply = await scene.call(client, modelOf(vendor, pace), mode === 'streamed');
    expect(reply.status, reply.text).to.equal(errorCodes[code].status);
    expect(reply.headers['content-type']).to.match(/^application\/json/);
    expect(reply.text, 'nothing of what the upstream said').to.not.match(/Welcome|It works|stolen/);
    expect(JSON.parse(reply.text)).to.have.nested.property('error.message').that.is.a('string');
    await holdInvariants(scene);
    const line = exchangesOf(scene)[known];
    expect(line).to.include({ status: errorCodes[code].status, code }).and.to.not.have.property('ending');
    const attempts = line?.['attempts'] as readonly object[];
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.include({ failure, status }).and.to.not.have.property('lane');
    expect(scene.upstream.requests, 'it is called once').to.have.length(1);
  };

  for (const fault of earlyFaults) {
    const modes: readonly Mode[] = fault.mode === undefined ? ['plain', 'streamed'] : [fault.mode];
    for (const mode of modes) {
      // A deadline takes its time, and does not see what is encrypted.
      for (const [client, vendor] of fault.pace !== undefined && security === 'good' ? ways.slice(0, 1) : ways) {
        it(`row ${fault.row}: ${fault.name} is ${fault.code}, ${mode}, ${client}>${vendor}`, () => check(fault, client, vendor, mode));
      }
    }
  }
});
