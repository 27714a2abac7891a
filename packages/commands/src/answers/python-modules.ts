/**
 * Lists the modules that come with Python. If a file in the folder of a script has such a name, Python loads that file instead.
 */

const own =
  `sitecustomize usercustomize abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cmath cmd
  code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes
  curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler
  fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
  hashlib heapq hmac html http idlelib imaplib imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
  locale logging lzma mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc ntpath nturl2path numbers
  opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint
  profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
  sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile
  sre_constants sre_parse ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny
  tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref
  xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/);

let known: ReadonlySet<string> | undefined;

/** Returns true if Python may load a module of that name from a script's folder instead of the module that Python has. */
export function shadowsPython(name: string): boolean {
  known ??= new Set(own);
  return name.startsWith("_") || known.has(name);
}
