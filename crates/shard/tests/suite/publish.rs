//! A file is published as a whole or not at all.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

#[cfg(target_os = "linux")]
use grundy_shard::disk::{Disk as _, FileSystem};
use grundy_shard::publish::{
    Publication, check_regular, create_folder, create_folder_on, of_temporary, publish, publish_on,
    read_regular,
};
use grundy_testing::disk::Hindered;

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn publish_creates_and_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zst");
    for bytes in [&b"first"[..], b"", b"second"] {
        publish(&path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(names(folder.path()), ["a.zst"]);
    }
}

/// A file that is written in pieces gets its name only at the end.
#[test]
fn a_publication_appears_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zst");
    for (bytes, before) in [(&b"first"[..], None), (b"second", Some(&b"first"[..]))] {
        let publication = Publication::create(&path).unwrap();
        publication.file().write_all(bytes).unwrap();
        assert!(format!("{publication:?}").contains("a.zst"));
        assert_eq!(fs::read(&path).ok().as_deref(), before);
        publication.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(names(folder.path()), ["a.zst"]);
    }
    let dropped = Publication::create(&path).unwrap();
    dropped.file().write_all(b"third").unwrap();
    drop(dropped);
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(names(folder.path()), ["a.zst"]);
}

/// Publishing to a link replaces or creates the link's target.
#[cfg(unix)]
#[test]
fn links_are_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("far")).unwrap();
    // The first link leads to the second. A target is relative to the folder of its link.
    symlink("far/near", path("first")).unwrap();
    symlink("../file", path("far/near")).unwrap();
    for bytes in [b"new", b"old"] {
        publish(&path("first"), bytes).unwrap();
        assert_eq!(fs::read(path("file")).unwrap(), bytes);
    }
    let publication = Publication::create(&path("first")).unwrap();
    publication.file().write_all(b"third").unwrap();
    publication.finish().unwrap();
    assert_eq!(fs::read(path("file")).unwrap(), b"third");
    assert_eq!(names(folder.path()), ["far", "file", "first"]);
    assert!(path("first").is_symlink() && path("far/near").is_symlink());
    // Publishing fails if a link leads to a missing folder or to itself.
    symlink("missing/file", path("nowhere")).unwrap();
    symlink("round", path("round")).unwrap();
    for link in ["nowhere", "round"] {
        assert!(publish(&path(link), b"x").is_err() && path(link).is_symlink());
    }
}

/// Replacing a pipe would block its reader forever. Replacing a device would destroy it.
#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    use std::os::unix::net::UnixListener;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let socket = UnixListener::bind(path("socket")).unwrap();
    std::os::unix::fs::symlink("socket", path("link")).unwrap();
    let mut odd = vec![(path("socket"), "a socket"), (path("link"), "a socket")];
    odd.push((folder.path().to_owned(), "a folder"));
    // No file can be created in `/dev/pts`, so the device survives even if the test fails.
    let device = Path::new("/dev/pts/ptmx").to_owned();
    if device.exists() {
        odd.push((device, "a device"));
    }
    for (path, what) in &odd {
        let publication = Publication::create(path).map(drop);
        for refused in [publication, publish(path, b"x")] {
            let error = refused.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert_eq!(
                error.to_string(),
                format!("it is {what}, not a regular file; choose another")
            );
        }
    }
    drop(socket);
    assert_eq!(names(folder.path()), ["link", "socket"]);
}

/// A character device cannot be synced.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_synced_is_an_error() {
    let mut null = fs::OpenOptions::new().write(true).open("/dev/null").unwrap();
    assert!(grundy_shard::disk::NewFile::sync(&mut null).is_err());
    assert!(FileSystem.sync(Path::new("/dev/null")).is_err());
}

#[test]
fn many_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zst");
    std::thread::scope(|scope| {
        for thread in 0..8_u8 {
            let path = &path;
            scope.spawn(move || (0..5).for_each(|_| publish(path, &[thread; 1000]).unwrap()));
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() == 1000 && bytes.iter().all(|byte| *byte == bytes[0]));
    assert_eq!(names(folder.path()), ["a.zst"]);
}

#[test]
fn a_failed_publication_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(publish(&path("missing/a.zst"), b"x").is_err());
    fs::write(path("file"), b"x").unwrap();
    assert!(publish(&path("file/a.zst"), b"x").is_err());
    assert!(publish(&path(".."), b"x").is_err());
    // The bytes can be written, but a folder already has the file's name.
    fs::create_dir_all(path("taken/inside")).unwrap();
    assert!(publish(&path("taken"), b"x").is_err());
    assert_eq!(names(folder.path()), ["file", "taken"]);
    assert_eq!(names(&path("taken")), ["inside"]);
}

#[test]
fn temporary_files_of_killed_runs_are_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zst");
    let stale: Vec<_> =
        (0..200).map(|count| format!("a.zst.tmp-{}-{count}", std::process::id())).collect();
    for name in &stale {
        fs::write(folder.path().join(name), b"stale").unwrap();
    }
    publish(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    let left = names(folder.path());
    assert_eq!(left.len(), stale.len() + 1);
    assert_eq!(left.iter().filter(|name| of_temporary(name).is_some()).count(), stale.len());
}

#[test]
fn temporary_names_are_recognised() {
    for name in ["a.zst.tmp-1-0", "manifest.json.tmp-4711-12", "x.tmp-1-2.tmp-3-4"] {
        assert!(of_temporary(name).is_some(), "{name}");
    }
    let others = ["a.zst", "a.tmp", "a.tmp-", "a.tmp-1", "a.tmp-1-", "a.tmp-x-1", ".tmp-1-2", ""];
    for name in others {
        assert_eq!(of_temporary(name), None, "{name}");
    }
}

#[test]
fn folders_are_made_with_those_above_them() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    create_folder(&deep).unwrap();
    create_folder(&deep).unwrap();
    assert!(deep.is_dir());
    let file = folder.path().join("file");
    fs::write(&file, b"x").unwrap();
    // An existing folder is valid; an existing file is an error.
    assert_eq!(create_folder(&file).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert!(create_folder(&file.join("d")).is_err());
}

/// Reading a pipe could block forever, and reading a device may never end.
#[test]
fn only_regular_files_of_a_fitting_length_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"four").unwrap();
    assert_eq!(read_regular(&file, 4).unwrap(), b"four");
    assert_eq!(read_regular(&file, 3).unwrap_err().kind(), ErrorKind::InvalidData);
    let kind = |path: &Path| check_regular(path).unwrap_err().kind();
    assert_eq!(kind(folder.path()), ErrorKind::InvalidInput);
    assert_eq!(kind(&folder.path().join("none")), ErrorKind::NotFound);
    #[cfg(unix)]
    assert_eq!(kind("/dev/zero".as_ref()), ErrorKind::InvalidInput);
}

/// Two processes create a folder at the same time. The second finds that the folder exists.
#[test]
fn a_folder_created_by_another_process_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    let disk = Hindered(|step: &str, path: &Path| match step {
        "create_folder" => fs::create_dir(path),
        _ => Ok(()),
    });
    create_folder_on(&disk, &path).unwrap();
    assert!(path.is_dir());
}

/// An existing folder is synced again, because its creator may have been killed.
#[test]
fn a_failure_of_the_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path();
    let failing = |kind: ErrorKind| Hindered(move |_: &str, _: &Path| Err(kind.into()));
    let full = failing(ErrorKind::StorageFull);
    let kind = |result: io::Result<()>| result.unwrap_err().kind();
    assert_eq!(kind(create_folder_on(&full, there)), ErrorKind::StorageFull);
    assert_eq!(kind(publish_on(&full, &there.join("a"), b"x")), ErrorKind::StorageFull);
    // A process that cannot read the parent folder did not create this folder.
    create_folder_on(&failing(ErrorKind::PermissionDenied), there).unwrap();
}
