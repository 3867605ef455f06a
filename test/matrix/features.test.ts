import { cases } from './cases/index.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { modelsOf, runCase } from './run-case.ts';
import { modes } from './wires.ts';

describe('matrix: every feature over every pair of client and upstream', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix(cases.map(modelsOf));
  });
  after(() => scene.stop());

  for (const testCase of cases) {
    describe(testCase.name, () => {
      overPairs((client, wire, pair) =>
        modes.map((mode) => ({
          title: `carries ${testCase.name} over ${pair}, ${mode}`,
          run: () => runCase(testCase, client, wire, mode, scene),
        })),
      );
    });
  }
});
