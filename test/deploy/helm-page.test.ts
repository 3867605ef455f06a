import { expect } from 'chai';
import { parse } from 'yaml';
import { readPage } from '../docs/pages.ts';
import { Rendered, type Values } from './helm-support/render.ts';
import { requireHelmTools } from './helm-support/tools.ts';

const page = readPage('docs/operate/kubernetes.md');
const blocks = page.blocks.filter(({ marks }) => marks['test'] === 'test/deploy/helm-page.test.ts');

describe('docs/operate/kubernetes.md', () => {
  before(function () {
    requireHelmTools(this);
  });

  for (const { line, text } of blocks)
    it(`the chart accepts the values in line ${line} of the page`, () => {
      const values = parse(text) as Values;
      const { objects } = new Rendered(values);
      expect(objects.length).to.be.greaterThan(6);
      // What the values switch on is there.
      const on = ['autoscaling', 'ingress', 'networkPolicy', 'serviceMonitor', 'prometheusRule'].filter(
        (name) => values[name] !== undefined,
      );
      const kinds = objects.map(({ kind }) => kind.toLowerCase().replace('horizontalpodautoscaler', 'autoscaling'));
      expect(kinds).to.include.members(on.map((name) => name.toLowerCase()));
    });
});
