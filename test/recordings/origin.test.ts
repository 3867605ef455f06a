import { expect } from 'chai';
import { redactBody } from '../../core/canonical/text/redact-body.ts';
import { recordingCases } from '../../core/cli/recording/cases.ts';
import { recordings } from './recordings.ts';

/** A server with its version, a vendor, or a page of documentation. */
const ORIGIN =
  /^(?:recorded \d{4}-\d\d-\d\d from (?:\S+ v?\d+(?:\.\d+)+|\S+ \(\S+ \d+(?:\.\d+)+\)|the provider \S+).*, model \S+|written by hand after https:\/\/\S+)$/;

const generateWires = ['chat-completions', 'messages', 'responses', 'generate-content', 'interactions'];

describe("the project's recordings", () => {
  for (const { name, origin, ...recording } of recordings) {
    it(`names a server that is not this project, or a page: ${name}`, () => {
      expect(origin)
        .to.match(ORIGIN)
        .and.not.match(/simulator|koine|gateway/i);
    });

    it(`holds no secret, and no address or path of a machine: ${name}`, () => {
      expect(redactBody(recording)).to.equal(recording);
      expect(JSON.stringify(recording)).to.not.match(/127\.0\.0\.1|localhost|\/tmp\/|\/home\/|\/Users\//);
    });
  }

  for (const wire of generateWires)
    it(`has all cases of ${wire}, plain and streamed`, () => {
      const names = recordings.filter((recording) => recording.wire === wire).map(({ name }) => name);
      const missing = recordingCases
        .filter(({ operation }) => operation === 'generate')
        .flatMap(({ name }) => [`${wire}-${name}.json`, `${wire}-${name}-stream.json`])
        .filter((file) => !names.some((name) => name.endsWith(`/${file}`)));
      expect(missing).to.deep.equal([]);
    });

  it('pairs most plain recordings with a streamed one of the same answer', () => {
    const pairs = Map.groupBy(
      recordings.filter((recording) => recording.case !== undefined && recording.wire !== 'embeddings'),
      (recording) => `${recording.wire} ${recording.case}`,
    );
    expect([...pairs.values()].filter((members) => members.length === 2)).to.have.lengthOf.above(60);
  });
});
