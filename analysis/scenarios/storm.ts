/** The figures of the scenario `storm`: how soon many users are back at once, and what that takes. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'storm',
  title: 'many users at once',
  parameters: [
    { name: 'framework', short: ['', 'framework'], flag: '--frameworks' },
    { name: 'way', short: ['', 'way'] },
    { name: 'edits', short: ['', 'edits'], unit: 'edits', one: 'edit' },
    { name: 'users', short: ['', 'users'], unit: 'users', one: 'user', flag: '--users' },
  ],
  figures: [
    figure('firstBackMs', 'first user back', ['first', 'back ms'], {
      what: 'from when the server took connections (again), or all began to open the document, until a user was back: it had the document, another showed the key that it typed then, and it showed one of another’s',
      places: ['terminal'],
    }),
    figure('halfBackMs', 'half of the users back', ['half', 'back ms'], { what: 'the same for half of the users' }),
    figure('allBackMs', 'all users back', ['all', 'back ms'], {
      what: 'the same for all; not known if some were not back in time',
    }),
    figure('allSeenMs', 'all keys at all users', ['all', 'seen ms'], {
      what: 'until each user showed all that anyone typed without a connection, and everyone’s key since',
    }),
    figure('socketUsers', 'users who are sockets', ['of them', 'sockets'], {
      unit: 'users',
      what: 'of all users, those without the framework’s client: sockets that say what it says to open the document or to come back with it, and type nothing. Other times, shares and texts are of the users with clients',
      places: ['terminal'],
    }),
    figure('halfSocketsBackMs', 'half of the sockets have the document', ['half sockets', 'back ms'], {
      what: 'until half of those had the document (again), with all that the server had',
      places: ['compare'],
    }),
    figure('allSocketsBackMs', 'all sockets have the document', ['all sockets', 'back ms'], {
      what: 'the same for all of them; not known if some had not in time',
    }),
    figure('backPercent', 'users back', ['back', '%'], {
      what: 'of the users with clients, those who were back before the limit',
      better: 'higher',
      places: ['terminal'],
    }),
    figure('lostCharacters', 'characters lost', ['lost', 'chars.'], {
      unit: 'characters',
      what: 'of the document and of what users typed, missing in the end in the poorest user’s document',
      places: ['terminal'],
    }),
    figure('doubledCharacters', 'characters doubled', ['doubled', 'chars.'], {
      unit: 'characters',
      what: 'in the worst user’s document: what nobody typed, or stands there twice',
      places: ['terminal'],
    }),
    figure('serverCpuMs', 'server CPU', ['server', 'CPU ms'], {
      what: 'what the server took of a core, from when it took connections until all was seen',
      scale: 'linear',
    }),
    figure('serverPeakCpuPercent', 'server CPU, busiest half second', ['server', 'peak %'], {
      what: 'in % of one core',
      places: ['terminal'],
    }),
    figure('serverPeakMemoryMiB', 'server memory, most', ['server', 'peak MiB'], {
      what: 'the most that its processes ever had resident; of a restart, since then',
    }),
    figure('receivedKiB', 'received by each user', ['received', 'KiB'], {
      what: 'TCP payload that the server sent in that time, divided by the users',
    }),
    figure('sentKiB', 'sent by each user', ['sent', 'KiB'], {
      what: 'the same of what it received',
      places: ['compare'],
    }),
    figure('usersBusyMs', 'users busy', ['users', 'busy ms'], {
      what: 'of that time, how long the thread of the busiest process of users worked, or waited for a core, for more than 85 %: then users wait for one another, and the times are the machine’s',
      places: ['terminal'],
      scale: 'linear',
    }),
  ],
  legend: [
    'restart: the server is killed and starts again with nothing; drop: it keeps the document and cuts all connections; open: all open the document for the first time',
    'back: it has the document, another shows its new key, and it shows another’s · all seen: everyone shows everything that anyone typed',
    'times: from when the server takes connections, or the opening begins · lost, doubled: of the document and the keys, in the worst user’s copy',
    'sockets: users without the framework’s client, who say what it says to come, and type nothing; times before them are of users with clients',
    'users busy: for so long the busiest process of users had hardly any rest; where that is much of the time, the machine was the limit',
  ],
});
