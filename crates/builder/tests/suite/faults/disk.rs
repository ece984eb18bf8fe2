//! A disk in memory that records which bytes would survive a crash, and fails on demand.
//!
//! The disk keeps two versions of every file: the *live* bytes, which every process sees, and the
//! *durable* bytes, which were synced. Names have a live and a durable version, too. If a process
//! is killed, the live version remains. If the power fails, the durable version remains. In
//! addition, a part of the live version may survive, as [`Aftermath`] says.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use grundy_shard::disk::{Disk, NewFile};
use grundy_sweep::Control;
use grundy_testing::random::Random;

pub(crate) const ROOT: &str = "/disk";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The step changes nothing and reports a failure.
    Fails(ErrorKind),
    /// The step succeeds but reports a failure.
    Lies(ErrorKind),
    /// A write succeeds, but writes only half of the bytes. Other steps succeed.
    Short,
    /// A write fails after half of the bytes. Other steps act as with [`Fault::Fails`].
    Half(ErrorKind),
    /// The process dies: this step and all later steps fail without effect.
    Dies,
}

/// The part of the unsynced state that survives a crash.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aftermath {
    /// The process was killed; all bytes and names survive.
    Killed,
    /// The power failed; no unsynced byte or name survives.
    Nothing,
    /// The power failed; the names survive, but not the bytes.
    Names,
    /// The power failed; the bytes survive, but not the names.
    Bytes,
    /// The power failed; a random part of the names and bytes survives. The number is the seed.
    Some(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

type Names = BTreeMap<PathBuf, Node>;

#[derive(Clone, Default)]
struct Bytes {
    live: Vec<u8>,
    durable: Vec<u8>,
}

#[derive(Clone, Default)]
struct State {
    live: Names,
    durable: Names,
    files: Vec<Bytes>,
    /// The number of steps that have changed the disk. `looks` counts the reads.
    steps: u64,
    looks: u64,
    fault: Option<(u64, Fault)>,
    look_fault: Option<u64>,
    is_dead: bool,
    reached: bool,
}

/// A disk in memory. `stop` contains the number of a step, and a control to stop at that step.
pub(crate) struct MemoryDisk<'a> {
    state: Mutex<State>,
    stop: Option<(u64, &'a Control)>,
}

/// The effect of the fault on a step.
enum Course {
    Do,
    Half,
    Refuse(ErrorKind),
    DoAndRefuse(ErrorKind),
    HalfAndRefuse(ErrorKind),
}

impl MemoryDisk<'_> {
    pub(crate) fn new() -> MemoryDisk<'static> {
        let mut state = State::default();
        for names in [&mut state.live, &mut state.durable] {
            names.extend(Path::new(ROOT).ancestors().map(|path| (path.into(), Node::Folder)));
        }
        MemoryDisk { state: Mutex::new(state), stop: None }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panicked with the lock")
    }

    /// Injects a fault at a step. Step 0 is the next step.
    pub(crate) fn failing(self, step: u64, fault: Fault) -> Self {
        self.count_anew(|state| state.fault = Some((step, fault)))
    }

    /// Injects a fault at a read. Read 0 is the next read.
    pub(crate) fn failing_to_read(self, look: u64) -> Self {
        self.count_anew(|state| state.look_fault = Some(look))
    }

    fn count_anew(self, set: impl FnOnce(&mut State)) -> Self {
        let mut state = self.state();
        (state.steps, state.looks, state.reached) = (0, 0, false);
        set(&mut state);
        drop(state);
        self
    }

    /// Stops the control at a step. Step 0 is the next step.
    pub(crate) fn stopping<'b>(self, step: u64, control: &'b Control) -> MemoryDisk<'b> {
        let state = self.count_anew(|_| ()).state.into_inner().expect("no panic");
        MemoryDisk { state: Mutex::new(state), stop: Some((step, control)) }
    }

    pub(crate) fn reached(&self) -> bool {
        self.state().reached
    }

    pub(crate) fn steps(&self) -> u64 {
        self.state().steps
    }

    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let state = self.state();
        let file = |(path, node): (&PathBuf, &Node)| match *node {
            Node::File(file) => Some((path.clone(), state.files[file].live.clone())),
            Node::Folder => None,
        };
        state.live.iter().filter_map(file).collect()
    }

    pub(crate) fn remove_for_test(&self, path: &Path) {
        let mut state = self.state();
        state.live.remove(path);
        state.durable.remove(path);
    }

    /// Returns the disk that the next process finds after a crash.
    pub(crate) fn after(&self, aftermath: Aftermath) -> MemoryDisk<'static> {
        let state = self.state().clone();
        let mut random = Random(match aftermath {
            Aftermath::Some(seed) => seed,
            _ => 0,
        });
        let paths: BTreeSet<&PathBuf> = state.live.keys().chain(state.durable.keys()).collect();
        let mut names = Names::new();
        // In the order of paths, a folder comes before its contents.
        for path in paths {
            let is_live = match aftermath {
                Aftermath::Killed | Aftermath::Names => true,
                Aftermath::Nothing | Aftermath::Bytes => false,
                Aftermath::Some(_) => random.number().is_multiple_of(2),
            };
            let chosen = if is_live { &state.live } else { &state.durable };
            let above = path.parent().map(|above| names.get(above));
            let has_folder = above.is_none_or(|above| above == Some(&Node::Folder));
            if let Some(&node) = chosen.get(path).filter(|_| has_folder) {
                names.insert(path.clone(), node);
            }
        }
        // If a name was reused, it may refer to the old file again after the power fails.
        let files = state
            .files
            .iter()
            .map(|bytes| {
                let kept = match aftermath {
                    Aftermath::Killed | Aftermath::Bytes => bytes.live.clone(),
                    Aftermath::Nothing | Aftermath::Names => bytes.durable.clone(),
                    Aftermath::Some(_) if bytes.live == bytes.durable => bytes.live.clone(),
                    Aftermath::Some(_) => {
                        let length = random.number() as usize % (bytes.live.len() + 1);
                        bytes.live[..length].to_vec()
                    }
                };
                // If only the process was killed, the operating system writes the live bytes later.
                match aftermath {
                    Aftermath::Killed => Bytes { live: kept, durable: bytes.durable.clone() },
                    _ => Bytes { live: kept.clone(), durable: kept },
                }
            })
            .collect();
        let durable = match aftermath {
            Aftermath::Killed => state.durable.clone(),
            _ => names.clone(),
        };
        let state = State { live: names, durable, files, ..State::default() };
        MemoryDisk { state: Mutex::new(state), stop: None }
    }

    /// Counts a step that changes the disk, and returns its course.
    fn step(&self) -> (MutexGuard<'_, State>, Course) {
        let mut state = self.state();
        let step = state.steps;
        state.steps += 1;
        if let Some((at, control)) = self.stop
            && step >= at
        {
            control.stop();
        }
        if state.is_dead {
            return (state, Course::Refuse(ErrorKind::Other));
        }
        let fault = state.fault.filter(|&(at, _)| at == step);
        state.reached |= fault.is_some();
        let course = match fault.map(|(_, fault)| fault) {
            None => Course::Do,
            Some(Fault::Fails(kind)) => Course::Refuse(kind),
            Some(Fault::Lies(kind)) => Course::DoAndRefuse(kind),
            Some(Fault::Short) => Course::Half,
            Some(Fault::Half(kind)) => Course::HalfAndRefuse(kind),
            Some(Fault::Dies) => {
                state.is_dead = true;
                Course::Refuse(ErrorKind::Other)
            }
        };
        (state, course)
    }

    /// Performs a step that changes the disk without writing bytes.
    fn change(&self, make: impl FnOnce(&mut State) -> io::Result<()>) -> io::Result<()> {
        let (mut state, course) = self.step();
        match course {
            Course::Do | Course::Half => make(&mut state),
            Course::Refuse(kind) | Course::HalfAndRefuse(kind) => Err(kind.into()),
            Course::DoAndRefuse(kind) => make(&mut state).and(Err(kind.into())),
        }
    }

    /// Counts a read, and returns the state.
    fn look(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let look = state.looks;
        state.looks += 1;
        if state.look_fault == Some(look) {
            state.reached = true;
            return Err(ErrorKind::Other.into());
        }
        Ok(state)
    }
}

impl State {
    fn file(&self, path: &Path) -> io::Result<usize> {
        match self.live.get(path) {
            Some(&Node::File(file)) => Ok(file),
            Some(Node::Folder) => Err(ErrorKind::InvalidInput.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn has_room(&self, path: &Path) -> io::Result<()> {
        let above = path.parent().and_then(|above| self.live.get(above));
        match (above, self.live.contains_key(path)) {
            (Some(Node::Folder), false) => Ok(()),
            (Some(Node::Folder), true) => Err(ErrorKind::AlreadyExists.into()),
            _ => Err(ErrorKind::NotFound.into()),
        }
    }
}

impl Disk for MemoryDisk<'_> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        let mut file = 0;
        self.change(|state| {
            state.has_room(path)?;
            file = state.files.len();
            state.files.push(Bytes::default());
            state.live.insert(path.to_owned(), Node::File(file));
            Ok(())
        })?;
        Ok(Box::new(MemoryFile { disk: self, file }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(|state| {
            let file = state.file(from)?;
            if state.live.get(to) == Some(&Node::Folder) {
                return Err(ErrorKind::IsADirectory.into());
            }
            state.live.remove(from);
            state.live.insert(to.to_owned(), Node::File(file));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change(|state| {
            state.file(path)?;
            state.live.remove(path);
            Ok(())
        })
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.change(|state| {
            state.has_room(path)?;
            state.live.insert(path.to_owned(), Node::Folder);
            Ok(())
        })
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.change(|state| {
            let file = state.file(path)?;
            let bytes = &mut state.files[file];
            bytes.durable.clone_from(&bytes.live);
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.change(|state| {
            if state.live.get(folder) != Some(&Node::Folder) {
                return Err(ErrorKind::NotFound.into());
            }
            let is_in = |path: &PathBuf| path.parent() == Some(folder);
            state.durable.retain(|path, _| !is_in(path));
            let names = state.live.iter().filter(|(path, _)| is_in(path));
            state.durable.extend(names.map(|(path, &node)| (path.clone(), node)));
            Ok(())
        })
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.state().live.get(path) == Some(&Node::Folder)
    }

    fn files(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let state = self.look()?;
        let is_file = |(path, node): &(&PathBuf, &Node)| {
            path.parent() == Some(folder) && **node != Node::Folder
        };
        let names = state.live.iter().filter(is_file).filter_map(|(path, _)| path.file_name());
        Ok(names.map(OsString::from).collect())
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        let state = self.look()?;
        Ok(state.files[state.file(path)?].live.len() as u64)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let state = self.look()?;
        let bytes = &state.files[state.file(path)?].live;
        match bytes.len() as u64 <= most {
            true => Ok(bytes.clone()),
            false => Err(ErrorKind::InvalidData.into()),
        }
    }
}

struct MemoryFile<'a> {
    disk: &'a MemoryDisk<'a>,
    file: usize,
}

impl Write for MemoryFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (mut state, course) = self.disk.step();
        let half = bytes.len().div_ceil(2);
        let (taken, refused) = match course {
            Course::Do => (bytes.len(), None),
            Course::Half => (half, None),
            Course::Refuse(kind) => (0, Some(kind)),
            Course::DoAndRefuse(kind) => (bytes.len(), Some(kind)),
            Course::HalfAndRefuse(kind) => (half, Some(kind)),
        };
        state.files[self.file].live.extend(&bytes[..taken]);
        refused.map_or(Ok(taken), |kind| Err(kind.into()))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for MemoryFile<'_> {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.change(|state| {
            let bytes = &mut state.files[self.file];
            bytes.durable.clone_from(&bytes.live);
            Ok(())
        })
    }
}
