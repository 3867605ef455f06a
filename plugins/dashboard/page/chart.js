import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { nameSeriesColor, readColor, useTheme } from './colors.js';
import { writeTicks } from './format.js';
import { html } from './html.js';

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {readonly number[]} values one for each time
 */
/**
 * Series upon each other: the first at the bottom.
 * @typedef {object} ChartProps
 * @property {string} summary what it shows, for those who cannot see it
 * @property {readonly number[]} times unix seconds, ascending
 * @property {readonly Series[]} series
 * @property {'bars' | 'areas'} shape
 * @property {string} [unit] before the figures at the side
 * @property {readonly [from: number, to: number]} span of the times that are shown
 * @property {readonly number[]} marks times that may stand below
 * @property {(seconds: number) => string} writeMark
 * @property {readonly string[]} [colors] names of CSS variables
 */

const HEIGHT = 220;
/** Marks below are this far from each other at least. */
const MARK_WIDTH = 64;

/** @param {readonly Series[]} series @param {number} length */
const stack = (series, length) => {
  let below = Array.from({ length }, () => 0);
  return series.map(({ values }) => (below = below.map((value, index) => value + (values[index] ?? 0))));
};

/** @param {readonly number[]} marks @param {number} width */
const thinOut = (marks, width) => {
  const step = Math.ceil((marks.length * MARK_WIDTH) / Math.max(width - 80, MARK_WIDTH));
  return marks.filter((_mark, index) => index % step === 0);
};

/**
 * @param {() => ChartProps} readProps the latest, whatever is drawn anew
 * @param {number} width
 * @returns {uPlot.Options}
 */
const describeChart = (readProps, width) => {
  const { series, shape, colors } = readProps();
  const axis = {
    stroke: readColor('soft'),
    grid: { stroke: readColor('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const paths = shape === 'bars' ? uPlot.paths.bars?.({ size: [0.8, 48], gap: 1 }) : uPlot.paths.linear?.();
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [10, 12, 0, 0],
    scales: {
      x: { time: false, range: () => [...readProps().span] },
      y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: (chart) => thinOut(readProps().marks, chart.width),
        values: (_chart, marks) => marks.map(readProps().writeMark),
      },
      { ...axis, size: 64, values: (_chart, ticks) => writeTicks(ticks, readProps().unit) },
    ],
    series: [
      {},
      // The highest sum is drawn first, and each lower one over it.
      ...series
        .map((_one, index) => readColor(colors?.[index] ?? nameSeriesColor(index)))
        .toReversed()
        .map((color) => ({
          stroke: color,
          fill: color,
          width: shape === 'bars' ? 0 : 1,
          points: { show: false },
          ...(paths === undefined ? {} : { paths }),
        })),
    ],
  };
};

/** @param {ChartProps} props */
export const Chart = (props) => {
  const { summary, times, series } = props;
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const theme = useTheme();
  const shape = JSON.stringify([theme, props.shape, series.map(({ name }) => name)]);
  const chart = useRef(/** @type {uPlot | null} */ (null));
  const latest = useRef(props);
  latest.current = props;
  /** @type {uPlot.AlignedData} */
  const data = [[...times], ...stack(series, times.length).toReversed()];

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new uPlot(
      describeChart(() => latest.current, element.clientWidth),
      data,
      element,
    );
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [shape]);
  useEffect(() => chart.current?.setData(data), [data]);
  return html`<div class="chart" role="img" aria-label=${summary} ref=${place}></div>`;
};
