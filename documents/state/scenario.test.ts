import { expect, test } from 'vitest';
import { resolveDocuments } from '../../harness/experiment/experiment-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { scenario } from './scenario.ts';

const folder = folderOfEachTest();

test('what an engine failed to save is not loaded: there is nothing, or what another cell saved', async () => {
  const { signal } = new AbortController();
  const experiment = resolveDocuments({ scenario: 'state', engines: ['string'] }, { scenario: 'state' });
  const context = { frameworks: new Map(), say() {}, folder: folder.path, signal };
  const opened = await scenario.open(experiment as Parameters<typeof scenario.open>[0], context);
  const [of] = await scenario.cells(experiment as Parameters<typeof scenario.cells>[0], context);
  const stepsIf = async (saves: RecordLine) => {
    const steps: string[] = [];
    await opened.runTrial(of!, {
      ...{ trial: 1, seed: 1, directory: folder.path, write() {}, signal },
      async measure(command, _limitMs, look) {
        const { step } = JSON.parse(command.at(-1)!) as { step: string };
        steps.push(step);
        if (step === 'save') look?.(saves);
      },
    });
    return steps;
  };
  expect(await stepsIf({ type: 'figure', figure: 'savedKiB', value: 1 })).toEqual(['save', 'load']);
  expect(await stepsIf({ type: 'failure', code: 'wrong-content', message: 'it holds other text' })).toEqual(['save']);
});
