import { expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '../project.ts';
import { buildImage, localDocker, pushImage } from './image.ts';

test('an image is built, and pushed; its password is shown nowhere', async () => {
  const shown: string[] = [];
  const inputs: (string | undefined)[] = [];
  const docker = async (args: string[], options: { input?: string } = {}) => {
    shown.push(args.join(' '));
    inputs.push(options.input);
    return '';
  };
  const layer = { folder: '/tmp/layer', arguments: {}, digest: '0011' };
  await buildImage(docker, layer);
  const remoteName = '123456789012.dkr.ecr.eu-north-1.amazonaws.com/scriptorium-x:0011';
  await pushImage(docker, remoteName, { user: 'AWS', password: 'secret' });
  expect(shown).toEqual([
    'build --platform linux/amd64 --file infra/compose/Dockerfile --tag scriptorium-fargate .',
    `build --platform linux/amd64 --file ${PROJECT_ROOT}/infra/compose/layer.Dockerfile --build-arg BASE=scriptorium-fargate --build-arg DIGEST=0011 --tag scriptorium-fargate /tmp/layer`,
    'login --username AWS --password-stdin 123456789012.dkr.ecr.eu-north-1.amazonaws.com',
    `tag scriptorium-fargate ${remoteName}`,
    `push ${remoteName}`,
  ]);
  expect(inputs.filter((input) => input !== undefined)).toEqual(['secret']);
});

test('a machine without docker is told so', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(localDocker(() => {})(['version'])).rejects.toThrow(/docker cannot be started .* install it/);
  vi.unstubAllEnvs();
});
