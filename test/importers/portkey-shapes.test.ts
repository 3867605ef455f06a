import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openForeign } from '../../core/cli/import/foreign-file.ts';
import { writeResult } from '../../core/cli/import/result.ts';
import portkey from '../../importers/portkey/index.ts';
import { findWider, help } from './check-fixtures.ts';
import { conditions } from './portkey/conditions.ts';
import { balances, fallbacks, single } from './portkey/targets.ts';

const groups = { 'one target': single, fallbacks, balances, conditions };
const shapes = Object.entries(groups).flatMap(([group, configs]) =>
  Object.entries(configs).map(([name, config]) => [`${group}: ${name}`, config] as const),
);

describe('the shapes of configs that Portkey documents', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, config] of shapes)
    it(`${name}: the import passes koine check, and reaches nothing else`, async () => {
      const file = join(folder, 'config.json');
      writeFileSync(file, JSON.stringify(config));
      const { source, data } = await openForeign(file);
      const translation = portkey.translate(data, help);
      const text = writeResult(source, portkey.title, translation);
      expect(text).not.to.match(/clear-[\w-]*\d{4}/);
      const result = join(folder, 'gateway.yaml');
      writeFileSync(result, text);
      expect(await findWider(result, translation)).to.deep.equal([]);
    });

  it('the model in the provider of a target is its model, and open-ai is OpenAI', () => {
    const { settings } = portkey.translate({ provider: '@open-ai-xxx/gpt-3.5-turbo' }, help);
    expect(Object.keys(settings['models'] as object)).to.deep.equal(['open-ai-xxx/gpt-3.5-turbo']);
  });
});
