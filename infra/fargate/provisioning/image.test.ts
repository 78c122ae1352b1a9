import { expect, test } from 'vitest';
import { buildImage, localDocker, pushImage } from './image.ts';

test('an image is built, named by its content, and pushed; its password is shown nowhere', async () => {
  const shown: string[] = [];
  const inputs: (string | undefined)[] = [];
  const docker = async (args: string[], options: { input?: string } = {}) => {
    shown.push(args.join(' '));
    inputs.push(options.input);
    return args[0] === 'image' ? 'sha256:00112233445566778899aabb' : '';
  };
  const layer = { folder: '/tmp/layer', arguments: {}, digest: '0011' };
  const image = await buildImage(docker, { root: '/project', dockerfile: 'infra/compose/Dockerfile', layer });
  expect(image.tag).toBe('0011223344556677');
  const repositoryUri = '123456789012.dkr.ecr.eu-north-1.amazonaws.com/scriptorium-x';
  await pushImage(docker, image, { repositoryUri, login: { user: 'AWS', password: 'secret' } });
  expect(shown).toEqual([
    'build --platform linux/amd64 --file infra/compose/Dockerfile --tag scriptorium-fargate .',
    'build --platform linux/amd64 --file /project/infra/compose/layer.Dockerfile --build-arg BASE=scriptorium-fargate --build-arg DIGEST=0011 --tag scriptorium-fargate /tmp/layer',
    'image inspect --format {{.Id}} scriptorium-fargate',
    'login --username AWS --password-stdin 123456789012.dkr.ecr.eu-north-1.amazonaws.com',
    `tag scriptorium-fargate ${repositoryUri}:0011223344556677`,
    `push ${repositoryUri}:0011223344556677`,
  ]);
  expect(inputs.filter((input) => input !== undefined)).toEqual(['secret']);
});

test('a machine without docker is told so', async () => {
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    await expect(localDocker('/', () => {})(['version'])).rejects.toThrow(/docker cannot be started .* install it/);
  } finally {
    process.env.PATH = path;
  }
});
