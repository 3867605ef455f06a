import { expect } from 'chai';
import { DONE, STEPS } from '../../support/strict-vendors/script.ts';
import { idOf, startStrictScene, targets, type StrictScene } from '../../support/strict-vendors/targets.ts';
import { findLostProofs } from '../../support/strict-vendors/written.ts';
import { modes, type Json } from '../wires.ts';
import { helpers } from './helpers.ts';

/** In the order of the vendor's script. */
const wanted = ['look_up Oslo', 'look_up Rome', 'now', 'look_up Paris'];

describe('loops that the official SDKs run by themselves, against vendors that refuse what their pages say', () => {
  let scene: StrictScene;
  before(async () => {
    scene = await startStrictScene();
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.sent.length = 0;
    scene.upstream.calls.length = 0;
  });

  for (const target of targets)
    for (const [name, { run, forgets }] of Object.entries(helpers))
      for (const mode of modes)
        it(`${idOf(target)} finishes the ${mode} loop of ${name}`, async () => {
          const called: string[] = [];
          const call = (tool: string, { city }: Json): string => {
            called.push(city === undefined ? tool : `${tool} ${String(city)}`);
            return `result ${called.length}`;
          };
          const text = await run({ url: scene.gateway.url, model: idOf(target), mode, call });
          // A stream has the texts of all steps.
          expect(text.endsWith(DONE), text).to.equal(true);
          expect(called).to.deep.equal(wanted);
          expect(scene.upstream.calls).to.have.length(STEPS);
          const last = scene.upstream.calls.at(-1)!.raw.toString();
          for (let index = 1; index <= wanted.length; index += 1) expect(last).to.include(`result ${index}`);
          if (forgets !== true) expect(findLostProofs(scene.sent, last)).to.deep.equal([]);
        });
});
